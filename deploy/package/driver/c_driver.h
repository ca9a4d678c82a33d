// SPDX-License-Identifier: Apache-2.0
#pragma once

// src/NAME.c: the driver, which does between two kernels what must be done: it finds addresses.
//
//   static const pose_place pose_places[] = {{2, 0}, {1, 1024}, {0, 16}, …};
//   static const pose_launch pose_launches[] = {{pose_p0_0_pad, 16, 0, 2, 1}, …};
//
//   for each launch: a table of addresses on the stack, base + offset each; then the kernel over
//   0 … extent, through the caller's parallel_for where there is one
//
// A place is a base and an offset in units of 64 bytes. Bases are the workspace, the weights, and
// each input and output, so that where a caller's tensors lie is decided once a run and not once a
// launch.
//
// Why C and not calls in a row: 117 kernels are 117 rows of 24 bytes, and the one loop can be read
// and stepped through. Why source at all: it brings its user's sanitizers, flags and ABI with it.
//
// It needs memcpy and the kernels; it holds no writable data (but the workspace, where that is the
// library's own), takes no memory, opens nothing, and may run on any number of threads.

#include <string>
#include <vector>

#include "deploy/package/c_header.h"
#include "deploy/package/driver/cpu_check.h"
#include "deploy/package/package_interface.h"
#include "deploy/package/package_options.h"

namespace dovetail {

struct DriverData {
  std::vector<std::string> weights_headers;  // 64 bytes of each file of the interface's weights
  std::string metadata;                      // what NAME_metadata() gives
};

// The error is a CPU feature that cannot be asked for.
Result<std::string> c_driver(const PackageVariants& variants, const PackageInterface& interface,
                             const BuildNames& build, const PackageOptions& options,
                             const DriverData& data);

}  // namespace dovetail
