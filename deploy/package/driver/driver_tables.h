// SPDX-License-Identifier: Apache-2.0
#pragma once

// DriverTables: a driver's data about its network: launches, places of buffers, homes of tensors,
// required CPU features. The same values are written as C (c_tables.h) and as IR (ir_driver.h).
//
//   const DriverTables tables = TRY(driver_tables(variants, interface));
//   tables.codes[0].launches[3]    {.kernel = "pose_p0_0_pad", .extent = 16, .first = 9, …}
//   tables.codes[0].places[9]      {.base = 1, .vectors = 1024}: 65536 bytes behind the weights
//
// Bases are numbered in this order: workspaces, weights files, inputs, outputs, and a last one for
// buffers without an address.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "deploy/package/driver/cpu_check.h"
#include "deploy/package/package_interface.h"

namespace dovetail {

struct DriverPlace {
  size_t base = 0;
  int64_t vectors = 0;  // offset from the base in units of 64 bytes, the kernels' alignment
};

struct DriverLaunch {
  std::string kernel;
  int64_t extent = 1;
  size_t first = 0, count = 0;  // its range in `places`
  // Runs on the caller's threads. Never set in code that was tuned for one thread: its loops may be
  // too short to pay.
  bool is_shared = false;
};

// The network, compiled for one instruction set.
struct DriverCode {
  std::string suffix;                // "_v4", or empty: the end of its tables' names
  std::vector<std::string> kernels;  // distinct names
  std::vector<DriverPlace> places;
  std::vector<DriverLaunch> launches;
  std::vector<DriverPlace> homes;  // copies of tensors whose address is unaligned
  std::vector<int64_t> sections;   // offset of its constants in each weights file
  std::vector<std::string> features;
  std::optional<CpuNeeds> needs;  // empty: no CPU check
};

struct DriverTables {
  size_t inputs = 0, tensors = 0;  // inputs, then outputs
  size_t workspaces = 0, weights_files = 0, arenas = 0;
  size_t bases = 0;         // arenas, then tensors
  size_t most_buffers = 1;  // largest number in one kernel
  std::vector<DriverCode> codes;

  bool is_choosing() const;  // some code has a CPU check
};

// Fails for a CPU feature that the driver cannot query.
Result<DriverTables> driver_tables(const PackageVariants& variants,
                                   const PackageInterface& interface);

}  // namespace dovetail
