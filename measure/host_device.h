// SPDX-License-Identifier: Apache-2.0
#pragma once

// True for devices that are this machine's own processor: CPU targets, and PoCL on OpenCL. Their
// threads compete with the tuner's, they use host memory, and memory limits are meaningful.

#include "core/ir/target.h"

namespace dovetail {

inline bool runs_on_host(const Target& target) {
  return target.name.kind == TargetKind::cpu ||
         target.driver.starts_with("Portable Computing Language") ||
         target.driver.starts_with("PoCL");
}

}  // namespace dovetail
