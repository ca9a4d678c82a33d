// SPDX-License-Identifier: Apache-2.0
//
// The computations that an algorithm makes of a region, before layouts and loops: one for direct
// convolution and matrix products, four for Winograd (winograd.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"
#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

struct PlannedStage {
  std::string name;  // of the tensor that it makes; the operator's kind for an operator itself
  Computation computation;
  bool once = false;   // at build time
  bool inner = false;  // what it makes is for other stages only
};

// In execution order.
Result<std::vector<PlannedStage>> plan_stages(const Region& region,
                                              const std::optional<algorithm::Winograd>& algorithm);

}  // namespace dovetail
