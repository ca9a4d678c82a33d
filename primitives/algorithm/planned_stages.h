// SPDX-License-Identifier: Apache-2.0
//
// The computations that an algorithm makes of an operator, before layouts and loops: one for direct
// convolution and matrix products, four for Winograd (winograd.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"
#include "core/ir/operator/operator.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

struct PlannedStage {
  std::string name;  // of the tensor that it makes; the operator's kind for the operator itself
  Computation computation;
  bool once = false;  // at build time
};

// In execution order; the operator's own is the last one.
Result<std::vector<PlannedStage>> plan_stages(const Operator& op,
                                              const std::optional<algorithm::Winograd>& algorithm);

}  // namespace dovetail
