// SPDX-License-Identifier: Apache-2.0
#include "measure/host_device.h"

namespace dovetail {

bool runs_on_host(const Target& target) {
  return target.name.kind == TargetKind::cpu ||
         target.driver.starts_with("Portable Computing Language") ||
         target.driver.starts_with("PoCL");
}

}  // namespace dovetail
