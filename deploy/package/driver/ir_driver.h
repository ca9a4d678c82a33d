// SPDX-License-Identifier: Apache-2.0
#pragma once

// The driver of src/NAME.c as LLVM IR: it is compiled into lib/libNAME.a for any target, without a
// C compiler.
//
//   @pose_launches = internal constant [1 x %struct.pose_launch] [%struct.pose_launch {…}]
//   define i32 @pose_run(ptr %model, ptr %inputs, ptr %outputs, ptr %workspace) {
//     %status = call i32 @pose_enter_run(ptr %model, …)         of the part that all packages share
//
// Both come from one text: the parts of c_driver_text.cc that use no member of the header's structs
// are compiled from C to IR once, when they change (scripts/make-ir-driver). ir_driver() adds only
// a package's tables and its public functions. A test checks that both behave alike.
//
// Why not generate the launches as IR: checks and addresses are 200 lines of C, better not written
// twice.

#include <string>

#include "deploy/package/driver/c_driver.h"

namespace dovetail {

// Fails for a CPU feature that the driver cannot query.
Result<std::string> ir_driver(const PackageVariants& variants, const PackageInterface& interface,
                              const BuildNames& build, const PackageOptions& options,
                              const DriverData& data);

}  // namespace dovetail
