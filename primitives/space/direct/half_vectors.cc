// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/direct/direct.h"

#include <utility>

#include "primitives/divisors.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

// Elements computed in whole vectors, divided by those computed in half ones.
double saved_by_halves(const ContractionFacts& whole, int64_t lanes) {
  const int64_t extent = whole.axis(whole.vector_axis).extent;
  return static_cast<double>(round_up(extent, lanes)) /
         static_cast<double>(round_up(extent, lanes / 2));
}

}  // namespace

Result<std::optional<Alternative>> half_vectors(const Region& region, const Target& target,
                                                RowAxes rows) {
  constexpr int64_t kLeastLanes = 16;
  const ContractionPlan whole = TRY(direct_plan(region, target, rows));
  const ContractionFacts& s = whole.facts;
  if (vector_lanes(target) < kLeastLanes || s.vector_axis.empty() || s.lanes < vector_lanes(target))
    return std::optional<Alternative>();
  const AxisClass kind = s.axis(s.vector_axis).kind;
  const double saved = saved_by_halves(s, vector_lanes(target));
  if (kind == AxisClass::row || saved < 1.05) return std::optional<Alternative>();
  Target halved = target;
  halved.vector_bytes /= 2;
  ContractionPlan half = TRY(direct_plan(region, halved, rows, s.vector_axis));
  half.max_vectors = 2 * whole.max_vectors;
  Alternative alternative = common_alternative("half_vectors", std::move(half), halved);
  // Shared channels are in X, too: whole vectors would need a padded copy of it.
  alternative.is_default =
      halves_cost_nothing(target) && saved >= (kind == AxisClass::shared ? 1.1 : 1.15);
  return std::optional(std::move(alternative));
}

}  // namespace dovetail
