// SPDX-License-Identifier: Apache-2.0
#pragma once

// src/NAME.c: the driver, which resolves addresses and launches the kernels.
//
//   static const pose_place pose_places[] = {{2, 0}, {1, 1024}, {0, 16}, …};
//   static const pose_launch pose_launches[] = {{pose_p0_0_pad, 16, 0, 2, 1}, …};
//
//   for each launch: a table of addresses on the stack, base + offset each; then the kernel over
//   0 … extent, through the caller's parallel_for where there is one
//
// A place is a base and an offset in units of 64 bytes. Bases are the workspace, the weights, and
// each input and output, so that the addresses of the caller's tensors are resolved once per run
// and not once per launch.
//
// Why tables and not calls: 117 kernels are 117 rows of 24 bytes, and the one loop can be read and
// debugged. Why source at all: it is compiled with its user's sanitizers, flags and ABI.
//
// It needs only memcpy and the kernels; it has no writable data (except an internal workspace),
// allocates nothing, opens nothing, and may run on any number of threads.

#include <string>
#include <vector>

#include "deploy/package/c_header.h"
#include "deploy/package/driver/cpu_check.h"
#include "deploy/package/package_interface.h"
#include "deploy/package/package_options.h"

namespace dovetail {

struct DriverData {
  std::vector<std::string> weights_headers;  // 64 bytes for each weights file
  std::string metadata;                      // the result of NAME_metadata()
};

// Fails for a CPU feature that the driver cannot query.
Result<std::string> c_driver(const PackageVariants& variants, const PackageInterface& interface,
                             const BuildNames& build, const PackageOptions& options,
                             const DriverData& data);

}  // namespace dovetail
