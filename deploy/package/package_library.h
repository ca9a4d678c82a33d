// SPDX-License-Identifier: Apache-2.0
#pragma once

// package_library: lib/libNAME.a, all machine code of a package.
//
//   const std::string library = TRY(package_library(variants, package));
//     kernels_v4_0.o …    of each variant, in order
//     driver.o            src/NAME.c, compiled for the least CPU of its kind: it asks which it is
//     pose_weights.o      where weights are embedded
//
// With it a package links without CMake and without a second compiler. To build the driver with
// sanitizers or other flags, put src/NAME.c before the archive on the command line: the linker then
// takes only kernels from the archive.

#include <string>

#include "core/base/result.h"
#include "deploy/package/package_files.h"

namespace dovetail {

// Fails in a build without LLVM, and for embedded weights that do not fit into an object.
Result<std::string> package_library(const PackageVariants& variants, const Package& package);

}  // namespace dovetail
