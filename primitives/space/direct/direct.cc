// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/direct/direct.h"

#include <algorithm>
#include <memory>

#include "core/base/check.h"
#include "core/ir/region/region_text.h"
#include "primitives/refuse.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/default_rule/default_rule.h"
#include "primitives/space/layouts/fixed_layout.h"

namespace dovetail {
namespace {

const Computation& product_of(const Region& region) {
  const Computation* const anchor = anchor_of(region);
  CHECK(anchor != nullptr, "an anchor that the region has");
  return *anchor;
}

// The facts with adjacent rows merged; nullopt: none, phases, or a reduction worth sharing.
std::optional<ContractionFacts> merged_rows(const ContractionFacts& apart,
                                            const Computation& computation, const Target& target) {
  const MergedDims merged = with_merged_dims(computation, 1);
  if (merged.dims.empty()) return std::nullopt;
  for (const auto& [first, second] : merged.dims)
    if (first == apart.vector_axis || second == apart.vector_axis) return std::nullopt;
  Result<ContractionFacts> derived = derive_facts(merged.computation, target, apart.vector_axis);
  if (!derived || !derived->phased.empty() || is_reduction_worth_sharing(*derived, target))
    return std::nullopt;
  derived->merged = merged.dims;
  for (ContractionAxis& axis : derived->axes) {
    axis.merged = std::ranges::count(computation.axes, axis.name, &Axis::name) == 0;
    if (axis.merged) axis.tail = AxisTail::cut;
  }
  return *std::move(derived);
}

// Whether tails may be cut. Phases of transposed convolutions fill their tiles.
bool may_have_tails(const ContractionFacts& s, const Target& target) {
  return s.phased.empty() && !is_reduction_worth_sharing(s, target) &&
         std::ranges::all_of(s.inputs(),
                             [](const Access& access) { return access.conditions.empty(); });
}

// Whether the last vector of channels is partial: a separate kernel would crop padded channels.
bool has_part_of_a_vector(const ContractionFacts& s) {
  return !s.vector_axis.empty() && s.tiles_channels(s.vector_axis) &&
         s.axis(s.vector_axis).extent % s.lanes != 0;
}

ContractionFacts with_cut_tails(const ContractionFacts& apart, const Computation& computation,
                                const Target& target, RowAxes rows) {
  ContractionFacts facts = apart;
  if (rows == RowAxes::merged) {
    if (std::optional<ContractionFacts> merged = merged_rows(apart, computation, target))
      facts = *std::move(merged);
    else if (may_have_tails(apart, target))
      facts = with_tails(apart, row_axes(apart), AxisTail::cut_untiled);
  }
  if (may_have_tails(facts, target) && has_part_of_a_vector(facts))
    facts = with_tails(facts, {facts.vector_axis}, AxisTail::cut_untiled);
  return facts;
}

}  // namespace

Result<ContractionPlan> direct_plan(const Region& region, const Target& target, RowAxes rows,
                                    const std::optional<std::string>& vector_axis) {
  const Computation& computation = product_of(region);
  ContractionPlan plan{.facts = TRY(derive_facts(computation, target, vector_axis)),
                       .stage = region.anchor};
  if (runs_threads(target)) plan.facts = with_cut_tails(plan.facts, computation, target, rows);
  plan.sums_in_parts = can_hold_sums(computation);
  plan.shares_reduction = is_reduction_worth_sharing(plan.facts, target);
  return plan;
}

Alternative common_alternative(const std::string& name, ContractionPlan own, const Target& target) {
  const auto plan = std::make_shared<const ContractionPlan>(std::move(own));
  DefaultChoices found = default_choices(*plan, target);
  return Alternative{
      .name = name,
      .parameters = derive_parameters(plan, target),
      .decode = [plan, target](const Choices& choices) { return decode(*plan, target, choices); },
      .wanted = std::move(found.choices),
      .estimated_seconds = found.estimated_seconds};
}

Result<Alternative> direct_alternative(const Region& region, const Target& target,
                                       const std::optional<FixedLayout>& layout, RowAxes rows) {
  if (!layout) return common_alternative("direct", TRY(direct_plan(region, target, rows)), target);
  if (!region.op || region.op->kind == OperatorKind::custom)
    return refuse(print(region), "layout {} has no meaning for a written region", print(*layout));
  ContractionPlan plan =
      TRY(direct_plan(region, target, rows, contiguous_axis(product_of(region), *layout)));
  const ContractionFacts facts = with_tails(plan.facts, {plan.facts.vector_axis}, AxisTail::padded);
  plan.facts = facts;
  plan.layouts_are_fixed = true;
  Alternative direct = common_alternative("direct", std::move(plan), target);
  direct.parameters = with_layout(std::move(direct.parameters), facts, *layout);
  return direct;
}

}  // namespace dovetail
