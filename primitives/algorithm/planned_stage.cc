// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/planned_stage.h"

#include "core/base/fail.h"
#include "primitives/algorithm/split_factors.h"
#include "primitives/algorithm/winograd.h"
#include "primitives/algorithm/winograd_inner_product.h"

namespace dovetail {
namespace {

Result<std::vector<PlannedStage>> stages_of(const PlannedStage& direct,
                                            const Algorithm& algorithm) {
  if (const auto* winograd = std::get_if<algorithm::Winograd>(&algorithm))
    return winograd_stages(direct, *winograd);
  if (const auto* split = std::get_if<algorithm::SplitFactors>(&algorithm))
    return split_stages(direct, *split);
  return inner_product_stages(direct, std::get<algorithm::WinogradInnerProduct>(algorithm));
}

// Fails where another computation reads a multiplied constant: it would see the multiple.
Result<void> check_multiplied(const Region& region, const std::vector<PlannedStage>& plan,
                              const Algorithm& algorithm) {
  for (const PlannedStage& stage : plan) {
    if (!stage.multiplied) continue;
    for (const NamedComputation& other : region.computations) {
      if (other.name == region.anchor ||
          !reads_tensor(other.computation.reads, stage.multiplied->tensor))
        continue;
      return fail("{}: {} is stored {} times, but {} reads it, too; expected scale=1",
                  print(algorithm), stage.multiplied->tensor, stage.multiplied->times, other.name);
    }
  }
  return {};
}

}  // namespace

Result<std::vector<PlannedStage>> plan_stages(const Region& region,
                                              const std::optional<Algorithm>& algorithm) {
  if (algorithm && region.anchor.empty())
    return fail(print(*algorithm) + ": the region has no anchor that it could compute");
  std::vector<PlannedStage> plan;
  for (const NamedComputation& own : region.computations) {
    PlannedStage stage{.name = own.name, .computation = own.computation};
    stage.inner = is_inner(region, own.computation.output.tensor);
    if (!algorithm || own.name != region.anchor) {
      plan.push_back(std::move(stage));
      continue;
    }
    for (PlannedStage& part : TRY(stages_of(stage, *algorithm))) plan.push_back(std::move(part));
  }
  if (algorithm) TRY(check_multiplied(region, plan, *algorithm));
  return plan;
}

}  // namespace dovetail
