// SPDX-License-Identifier: Apache-2.0
#include "core/backends/named_device.h"

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

Result<size_t> place_of_device(std::span<const Target> devices, const TargetName& name,
                               const std::string& none) {
  if (!name.profile.empty()) {
    return fail("target {} describes a device that is not here; nothing can run on it",
                print(name));
  }
  const std::string wanted = lower_case(name.device);
  std::string known;
  for (size_t i = 0; i < devices.size(); ++i) {
    const std::string names = devices[i].name.device + " / " + devices[i].device;
    if (lower_case(names).find(wanted) != std::string::npos) return i;
    known += (known.empty() ? "" : "; ") + names;
  }
  if (devices.empty()) return fail("{}", none);
  return fail("no {} device's name contains \"{}\"; found: {}", name.backend, name.device, known);
}

}  // namespace dovetail
