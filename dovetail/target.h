// SPDX-License-Identifier: Apache-2.0
#pragma once

// Target: the device that code is for, with what it can do.
//
//   dt::find_target({.threads = 2})                          this CPU
//   dt::find_target({.backend = "opencl", .device = "nvidia"})
//   dt::all_targets()                                        every device of this machine

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail::api {

using dovetail::Target;

struct TargetQuery {
  std::string backend = "cpu";  // or "opencl"; "reference" interprets: slow, for looking
  int threads = 1;              // CPU only; each on a core of its own
  std::string device = {};      // part of an OpenCL platform's or device's name; empty: the first
};

// Fails for a backend that this build lacks, and a device that is not here.
Result<Target> find_target(const TargetQuery& query = {});

Result<std::vector<Target>> all_targets();

// Sets environment variables with which PoCL, an OpenCL driver for CPUs, gives steady times
// (POCL_AFFINITY=1, POCL_WORK_GROUP_SPECIALIZATION=0), unless they are set. For a main(), before
// anything else: no other function of the library touches the environment.
void prepare_opencl_environment();

}  // namespace dovetail::api
