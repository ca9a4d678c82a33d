// SPDX-License-Identifier: Apache-2.0
#pragma once

// DriverTables: what a driver knows of its network: launches, places, homes of tensors, what a
// processor must have. The same values are written as C (c_tables.h) and as IR (ir_driver.h).
//
//   const DriverTables tables = TRY(driver_tables(variants, interface));
//   tables.codes[0].launches[3]    {.kernel = "pose_p0_0_pad", .extent = 16, .first = 9, …}
//   tables.codes[0].places[9]      {.base = 1, .vectors = 1024}: 65536 bytes behind the weights
//
// Bases are numbered: workspaces, files of weights, inputs, outputs, and behind them the one of
// buffers that have no address.

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
  int64_t vectors = 0;  // behind the base, in units of what kernels take for granted: 64 bytes
};

struct DriverLaunch {
  std::string kernel;
  int64_t extent = 1;
  size_t first = 0, count = 0;  // of the places
  // Among the caller's threads. Code that was tuned for one is shared by none: its loops may be too
  // short to be worth it.
  bool is_shared = false;
};

// The network, compiled for one instruction set.
struct DriverCode {
  std::string suffix;                // of its tables' names: "_v4", or empty
  std::vector<std::string> kernels;  // each once
  std::vector<DriverPlace> places;
  std::vector<DriverLaunch> launches;
  std::vector<DriverPlace> homes;  // of tensors that are not used at the caller's address
  std::vector<int64_t> sections;   // where its constants begin in each file of weights
  std::vector<std::string> features;
  std::optional<CpuNeeds> needs;  // none: the processor is not asked
};

struct DriverTables {
  size_t inputs = 0, tensors = 0;  // inputs, then outputs
  size_t workspaces = 0, weights_files = 0, arenas = 0;
  size_t bases = 0;         // arenas, then tensors
  size_t most_buffers = 1;  // of one kernel
  std::vector<DriverCode> codes;

  bool is_choosing() const;  // the processor is asked
};

// The error is a CPU feature that cannot be asked for.
Result<DriverTables> driver_tables(const PackageVariants& variants,
                                   const PackageInterface& interface);

}  // namespace dovetail
