// SPDX-License-Identifier: Apache-2.0
#pragma once

// package_library: lib/libNAME.a, all of a package that is machine code.
//
//   const std::string library = TRY(package_library(variants, package));
//     kernels_v4_0.o …    of each variant, in order
//     driver.o            src/NAME.c, compiled for the least CPU of its kind: it asks which it is
//     pose_weights.o      where weights are embedded
//
// So that a folder links without CMake and without a second compiler. The source is there for
// whoever wants the driver with sanitizers or flags of one's own: it stands before the archive on
// the command line, and the linker then takes the kernels alone.

#include <string>

#include "core/base/result.h"
#include "deploy/package/package_files.h"

namespace dovetail {

// Fails in a build without LLVM, and for embedded weights that no object holds.
Result<std::string> package_library(const PackageVariants& variants, const Package& package);

}  // namespace dovetail
