// SPDX-License-Identifier: Apache-2.0
#pragma once

// opencl_texts: the texts that a package for OpenCL has in place of a library.
//
//   include/pose.h       opencl_header.h
//   src/pose.c           opencl_runtime.h: compiled by whoever uses the package
//   share/pose/pose.cl   the kernels, as src/pose.c has them, for people
//   lib/cmake/pose/pose-config.cmake, lib/pkgconfig/pose.pc, examples/main.c
//
// There is no archive: the package has no machine code and runs on any host processor. A device
// binary is left out, too: it would be for one version of one driver, and drivers cache their own
// compilations.

#include <map>
#include <string>

#include "deploy/package/c_header.h"

namespace dovetail {

// Path in the folder -> text.
std::map<std::string, std::string> opencl_texts(const Executable& executable,
                                                const PackageInterface& interface,
                                                const BuildNames& build,
                                                const std::string& weights_header,
                                                const std::string& metadata);

}  // namespace dovetail
