// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "primitives/algorithm/planned_stage.h"
#include "primitives/space/contraction/contraction_plan.h"

namespace dovetail {

struct WinogradPlan {
  algorithm::Winograd algorithm;
  std::vector<PlannedStage> stages;  // transforms of weights and input, the product, the last
  ContractionPlan product;           // the planes are outermost
  // Row axes whose outer loops the last stage may take over (bands.h); none on work-groups.
  std::vector<std::string> bands = {};
  bool weights_inside = false;  // inner_weights.h

  const ContractionFacts& facts() const { return product.facts; }
  const std::vector<std::string>& planes() const { return product.outermost; }
};

}  // namespace dovetail
