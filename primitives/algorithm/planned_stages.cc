// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/planned_stages.h"

#include "primitives/algorithm/winograd.h"

namespace dovetail {

Result<std::vector<PlannedStage>> plan_stages(const Region& region,
                                              const std::optional<algorithm::Winograd>& algorithm) {
  if (algorithm && region.anchor.empty())
    return fail(print(*algorithm) + ": the region has no anchor that it could compute");
  std::vector<PlannedStage> plan;
  for (const NamedComputation& own : region.computations) {
    PlannedStage stage{own.name, own.computation};
    stage.inner = is_inner(region, own.computation.output.tensor);
    if (!algorithm || own.name != region.anchor) {
      plan.push_back(std::move(stage));
      continue;
    }
    for (PlannedStage& part : TRY(winograd_stages(*algorithm, stage)))
      plan.push_back(std::move(part));
  }
  return plan;
}

}  // namespace dovetail
