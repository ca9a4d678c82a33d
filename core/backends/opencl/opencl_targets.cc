// SPDX-License-Identifier: Apache-2.0
#include "core/backends/opencl/opencl_targets.h"

#include <cstdlib>

#include "core/backends/opencl/driver/opencl_api.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"

namespace dovetail {

Result<Target> profile_target(const TargetName& name) {
  const Result<std::string> text = read_file(name.profile, "a device profile");
  if (!text) return fail("device profile: {}", text.error().message);
  Result<Target> target = parse_target(*text);
  if (!target) return fail("device profile {}: {}", name.profile, target.error().message);
  if (target->name.backend != name.backend) {
    return fail("device profile {}: describes {}, expected a device of target {}", name.profile,
                print(target->name), name.backend);
  }
  target->name = name;
  return target;
}

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

Result<OpenclHandle> named_device(std::vector<OpenclHandle> devices, const TargetName& name,
                                  const std::string& none) {
  if (!name.profile.empty()) {
    return fail("target {} describes a device that is not here; nothing can run on it",
                print(name));
  }
  const std::string wanted = lower_case(name.device);
  std::string known;
  for (OpenclHandle& device : devices) {
    const std::string names = device.target.name.device + " / " + device.target.device;
    if (lower_case(names).find(wanted) != std::string::npos) {
      device.target.name = name;
      return std::move(device);
    }
    known += (known.empty() ? "" : "; ") + names;
  }
  if (devices.empty()) return fail("{}", none);
  return fail("no OpenCL device's name contains \"{}\"; found: {}", name.device, known);
}

}  // namespace dovetail
