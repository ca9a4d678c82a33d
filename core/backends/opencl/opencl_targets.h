// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenCL devices of this machine, as Targets.
//
//   prepare_opencl_environment();                                    // in main(), before the rest
//   for (const Target& device : *list_opencl_devices()) ...          // doctor
//   opencl_target(*parse_target_name("opencl:nvidia"))               // first whose names have this
//   opencl_target(*parse_target_name("opencl:profile=phone.txt"))    // elsewhere: from its file
//
// Devices are ordered: GPUs and accelerators in the driver's order, then CPUs. Many machines have a
// CPU implementation beside the GPU's, and the order of platforms is arbitrary.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

inline constexpr std::string_view kOpencl = "opencl";  // the backend's name

// Sets the environment variables that drivers read when they are loaded; variables that the user
// has set are kept. For PoCL: POCL_AFFINITY=1, because otherwise its threads often share one core
// and times are bimodal; POCL_WORK_GROUP_SPECIALIZATION=0, because otherwise the first launch of a
// binary compiles again (the code is as fast: group sizes are in the source). For a main() to call
// before anything uses OpenCL: a library leaves the environment of its process alone.
void prepare_opencl_environment();

// Empty when the machine has none, or when built without OpenCL. An error when a driver fails.
Result<std::vector<Target>> list_opencl_devices();

// The device that matches a target's name; `name` is kept. For a profile: the facts in its file.
Result<Target> opencl_target(const TargetName& name);

}  // namespace dovetail
