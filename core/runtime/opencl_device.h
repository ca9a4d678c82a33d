// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenCL devices of this machine, as Targets.
//
//   prepare_opencl_environment("/tmp/run/pocl");   // in main(), before the rest
//   for (const Target& device : *list_opencl_devices()) ...          // doctor
//   opencl_target(*parse_target_name("opencl:nvidia"))               // first whose names have this
//   opencl_target(*parse_target_name("opencl:profile=phone.txt"))    // elsewhere: from its file
//
// Devices are ordered: GPUs and accelerators as the driver lists them, then CPUs. A machine often
// has a CPU implementation beside its GPU's, and the order of platforms is an accident.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

// Sets what drivers read from the environment when they are loaded; what the user has set stays.
// For PoCL: POCL_AFFINITY=1, without which its threads often share one core and times are bimodal;
// POCL_WORK_GROUP_SPECIALIZATION=0, without which the first launch of a binary compiles again (the
// code is as fast: group sizes are in the source). Every function here does this; call it yourself
// before you use OpenCL without them.
void prepare_opencl_environment();

// Empty when the machine has none, or the program was built without OpenCL. An error when a driver
// fails.
Result<std::vector<Target>> list_opencl_devices();

// The device that a target's name means, with `name` kept; for a profile the facts in its file.
Result<Target> opencl_target(const TargetName& name);

}  // namespace dovetail
