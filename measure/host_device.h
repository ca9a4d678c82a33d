// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which OpenCL devices are this machine's own processor: PoCL. Their threads compete with ours,
// their memory is our memory, and its limits are meaningful.

#include "core/ir/target.h"

namespace dovetail {

inline bool runs_on_host(const Target& target) {  // cpu targets do, too
  return target.name.kind == TargetKind::cpu ||
         target.driver.starts_with("Portable Computing Language") ||
         target.driver.starts_with("PoCL");
}

}  // namespace dovetail
