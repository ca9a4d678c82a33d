// SPDX-License-Identifier: Apache-2.0
#pragma once

// The driver of src/NAME.c again, as LLVM IR: what is compiled into lib/libNAME.a where no C
// compiler is, for whatever target.
//
//   @pose_launches = internal constant [1 x %struct.pose_launch] [%struct.pose_launch {…}]
//   define i32 @pose_run(ptr %model, ptr %inputs, ptr %outputs, ptr %workspace) {
//     %status = call i32 @pose_enter_run(ptr %model, …)         of the part that all packages share
//
// Both have one text: the parts of c_driver_text.cc that name no member of the header's structs are
// compiled from C to IR once, when they change (scripts/make-ir-driver). Here are only a package's
// tables and the names that its programs call. A test holds the two to equal behaviour.
//
// Why not write calls of kernels as IR: checks and addresses are 200 lines of C, and once is
// enough.

#include <string>

#include "deploy/package/driver/c_driver.h"

namespace dovetail {

// The error is a CPU feature that cannot be asked for.
Result<std::string> ir_driver(const PackageVariants& variants, const PackageInterface& interface,
                              const BuildNames& build, const PackageOptions& options,
                              const DriverData& data);

}  // namespace dovetail
