// SPDX-License-Identifier: Apache-2.0
#include "core/backends/opencl/opencl_targets.h"

#include <cstdlib>

#include "core/backends/named_device.h"
#include "core/backends/opencl/driver/opencl_api.h"

namespace dovetail {

void prepare_opencl_environment() {
  constexpr int kKeep = 0;  // do not overwrite the user's settings
  setenv("POCL_AFFINITY", "1", kKeep);
  setenv("POCL_WORK_GROUP_SPECIALIZATION", "0", kKeep);
}

Result<std::vector<Target>> list_opencl_devices() {
  std::vector<OpenclHandle> devices = TRY(find_opencl_devices());
  std::vector<Target> targets;
  for (OpenclHandle& device : devices) targets.push_back(std::move(device.target));
  return targets;
}

Result<Target> opencl_target(const TargetName& name) {
  if (!name.profile.empty()) return profile_target(name);
  OpenclHandle device = TRY(find_opencl_device(name));
  return std::move(device.target);
}

}  // namespace dovetail
