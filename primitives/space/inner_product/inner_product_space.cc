// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/inner_product/inner_product_space.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/ir/schedule/algorithm_words.h"
#include "primitives/algorithm/planned_stage.h"
#include "primitives/algorithm/winograd_inner_product.h"
#include "primitives/divisors.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/default_rule/default_rule.h"
#include "primitives/space/default_rule/tile_layouts.h"
#include "primitives/space/direct/direct.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/layouts/placement.h"

namespace dovetail {
namespace {

// At most 32: sums of small integers stay exact up to 10,000 terms (measure/reference/operands.h).
int64_t scale_of(const ContractionFacts& direct) {
  constexpr double kMost = 32;
  const double nearest = std::exp2(std::round(std::log2(terms_of(direct) / 2) / 2));
  return static_cast<int64_t>(std::clamp(nearest, 1.0, kMost));
}

// The row axis along which windows are adjacent in the planes of X, or two elements apart. Vectors
// over groups of channels would find the sums of a group far apart.
std::optional<WindowsInVectors> neighbouring_windows(const ContractionFacts& s) {
  constexpr int64_t kLeast = 4, kFarthest = 2;
  if (s.windows.empty() || s.vector_axis.empty() || s.axis(s.vector_axis).kind != AxisClass::column)
    return std::nullopt;
  const Access& input = s.inputs()[0];
  const IndexExpr& index = input.indices.back();
  for (const std::string& axis : row_axes(s)) {
    const int64_t step = index.is_affine() ? index.coefficient(axis) : 0;
    const int64_t lanes = largest_divisor(s.axis(axis).extent, s.lanes);
    if (step >= 1 && step <= kFarthest && lanes >= kLeast) return WindowsInVectors{axis, lanes};
  }
  return std::nullopt;
}

algorithm::WinogradInnerProduct groups_of(const ContractionFacts& direct, const Target& target) {
  if (direct.pure.empty()) return {.of = 4};
  const int64_t extent = direct.axis(direct.pure).extent;
  const bool spreads = spreads_while_loading(target);
  for (const int64_t of : spreads ? std::vector<int64_t>{3, 4} : std::vector<int64_t>{4})
    for (const int64_t signs : {2, 1})
      for (int64_t lanes = vector_lanes(target); lanes >= 4; lanes /= 2)
        if (extent % (of * lanes * signs) == 0) return {.of = of, .apart = lanes, .signs = signs};
  if (extent == 3 && neighbouring_windows(direct)) return {.of = 3};
  return {.of = 4, .signs = extent % 8 == 0 ? 2 : 1};
}

bool pays(const InnerProductPlan& plan) {
  constexpr int64_t kColumns = 32, kRows = 4, kTerms = 24, kTermsOfPlanes = 64;
  const ContractionFacts& s = plan.product.facts;
  if (s.vector_axis.empty() || s.axis(s.vector_axis).kind != AxisClass::column) return false;
  int64_t rows = 1;
  for (const std::string& axis : row_axes(s)) rows *= s.axis(axis).extent;
  if (s.axis(s.vector_axis).extent < kColumns || rows < kRows) return false;
  return plan.windows ? terms_of(s) >= kTermsOfPlanes : s.axis(s.pure).extent >= kTerms;
}

void keep_groups(const InnerProductPlan& plan, std::vector<Parameter>& parameters) {
  const ContractionFacts& s = plan.product.facts;
  const auto [group, apart, _] = *plan.product.group;
  const int64_t extent = s.axis(s.pure).extent;
  const std::string& input = s.inputs()[0].tensor;
  for (Parameter& parameter : parameters) {
    if (parameter.kind == ParameterKind::store_at) leave_out({1}, parameter);
    if (parameter.kind == ParameterKind::cache_read || id_of(parameter) == padding_place(s))
      fix_value(kNowhere, parameter);
    if (parameter.kind == ParameterKind::storage) leave_out({kUnfoldTile, kUnfoldCache}, parameter);
    if (plan.windows && parameter.tensor == input) {
      if (parameter.kind == ParameterKind::storage) leave_out({kGuard}, parameter);
      if (parameter.kind == ParameterKind::channel_tiles) leave_out({1}, parameter);
    }
    if (parameter.axis != s.pure) continue;
    if (parameter.kind == ParameterKind::layout_block) fix_value(1, parameter);
    if (parameter.kind != ParameterKind::layout_tile) continue;
    change_domain(parameter, [apart, group, extent](std::vector<int64_t> values) {
      std::erase_if(values, [&](int64_t tile) {
        return tile != 0 && tile != extent && (tile % apart != 0 || group % tile != 0);
      });
      return values;
    });
    if (parameter.tensor == input) leave_out({plan.windows ? extent : 0}, parameter);
  }
}

// True where an input in that layout has the values of a group in vectors.
bool can_keep(FixedLayout layout, const InnerProductPlan& plan) {
  const ContractionFacts& s = plan.product.facts;
  if (plan.windows || s.vector_axis != contiguous_axis(s.computation, layout)) return false;
  if (layout == FixedLayout::nohw) return is_matrix_product(s.computation);
  if (layout != FixedLayout::nohw16o) return true;
  return s.axis(s.pure).extent % kFixedBlock == 0 &&
         plan.product.group->elements % kFixedBlock == 0 && kFixedBlock % plan.algorithm.apart == 0;
}

std::vector<LoopPrimitive> loops_over_windows(const ContractionFacts& s, const std::string& sums,
                                              const WindowsInVectors& windows) {
  std::vector<LoopPrimitive> list;
  std::string outer, lanes = windows.axis;
  if (windows.lanes < s.axis(windows.axis).extent) {
    list.emplace_back(loop::Split{windows.axis, windows.lanes});
    outer = windows.axis + ".0";
    lanes = windows.axis + ".1";
  }
  loop::Reorder order;
  if (!outer.empty()) order.loops.push_back(outer);
  order.loops.insert(order.loops.end(), s.windows.begin(), s.windows.end());
  order.loops.push_back(lanes);
  list.emplace_back(std::move(order));
  list.emplace_back(loop::Vectorize{lanes});
  if (!outer.empty()) list.emplace_back(loop::CacheWrite{sums, outer});
  return list;
}

// Loops of the stage X.pairs; empty where it has the default ones.
StageLoops loops_of_sums(const InnerProductPlan& plan, const Choices& choices) {
  const ContractionFacts& s = plan.product.facts;
  const Access& input = s.inputs()[0];
  StageLoops loops{sums_of_pairs(input.tensor), {}};
  std::vector<std::string> rows;
  for (const Axis& axis : s.computation.axes)
    if (!axis.reduction && axis.extent > 1 && access_has(input, axis.name))
      rows.push_back(axis.name);
  take_apart(s.merged, rows);
  if (plan.windows) {
    loops.primitives = loops_over_windows(s, loops.stage, *plan.windows);
    if (rows.front() != plan.windows->axis)
      loops.primitives.push_back(loop::Parallel{rows.front()});
  } else if (plan.algorithm.apart > 1 && !rows.empty() &&
             layout_tile(choices, input.tensor, s.pure) != 0) {
    loops.primitives = {loop::Vectorize{pair_lanes(s.pure)},
                        loop::CacheWrite{loops.stage, rows.back()}, loop::Parallel{rows.front()}};
  }
  return loops;
}

Trace decode(const InnerProductPlan& plan, const Target& target, const Choices& choices) {
  Trace trace = decode(plan.product, target, choices);
  trace.algorithm = plan.algorithm;
  StageLoops sums = loops_of_sums(plan, choices);
  if (!sums.primitives.empty()) trace.loops.push_back(std::move(sums));
  return trace;
}

// Blocks of a vector, as outputs are stored, where a group has whole ones. In a product of rows,
// which no other operator reads in vectors, the values of a group are stored together: 128 rows
// apart they would be 8 KB from each other, in the same sets of an 8-way cache. Tiles of one vector
// read weights fast, so the next tile's are prefetched (128 x 768 by 768 x 3072 on a Zen 4: 5.4 ms,
// 4.6 with it).
Choices default_choices(const InnerProductPlan& plan, const Target& target) {
  const ContractionFacts& s = plan.product.facts;
  const ProductTraits traits(plan.product, target);
  Choices c = default_choices(plan.product, target).choices;
  const auto [group, apart, shares_values] = *plan.product.group;
  const int64_t columns = register_tile(c, s.vector_axis), extent = s.axis(s.pure).extent;
  const bool in_vectors = s.lanes % apart == 0 && group % s.lanes == 0;
  const bool is_product_of_rows = traits.is_product_of_rows(columns);
  c.set({ParameterKind::inner_part, s.pure}, 1);
  int64_t together = in_vectors && !is_product_of_rows ? s.lanes : group;
  if (traits.keeps_order(columns) && extent % group == 0) together = extent;
  for (const Access& access : s.inputs())
    c.set({ParameterKind::layout_tile, access.tensor, s.pure}, together);
  if (plan.windows) {
    c.set({ParameterKind::layout_tile, s.inputs()[0].tensor, s.pure}, 0);
    for (const Access& access : s.inputs())
      for (const std::string& axis : s.tiled)
        c.set({ParameterKind::storage, access.tensor, axis}, kPad);
  }
  if (!shares_values && traits.weight_bytes() > target.l2_bytes)
    c.set({ParameterKind::prefetch, s.inputs()[1].tensor}, kNextTile);
  keep_channels_last(traits, c);
  return c;
}

}  // namespace

InnerProductPlan inner_product_plan(ContractionPlan direct, const Target& target) {
  InnerProductPlan plan{groups_of(direct.facts, target), std::move(direct), std::nullopt};
  const ContractionFacts& s = plan.product.facts;
  const int64_t group = group_of(plan.algorithm);
  plan.algorithm.scale = scale_of(s);
  plan.product.group = ReductionGroup{group, plan.algorithm.apart, spreads_while_loading(target)};
  plan.product.shares_reduction = false;
  const bool is_one_group = !s.pure.empty() && s.axis(s.pure).extent == group;
  if (plan.algorithm.apart == 1 && is_one_group) plan.windows = neighbouring_windows(s);
  return plan;
}

std::optional<Alternative> inner_product_alternative(const Region& region, const Target& target,
                                                     RowAxes rows,
                                                     const std::optional<FixedLayout>& layout) {
  if (!adds_beside_multiplying(target) || target.vector_registers < 32) return std::nullopt;
  Result<ContractionPlan> direct = direct_plan(region, target, rows);
  if (!direct || !direct->facts.phased.empty()) return std::nullopt;
  const auto plan =
      std::make_shared<const InnerProductPlan>(inner_product_plan(*std::move(direct), target));
  const Result<std::vector<PlannedStage>> stages = plan_stages(region, plan->algorithm);
  if (!stages) return std::nullopt;  // not a sum that pairs compute
  const auto product = std::ranges::find(*stages, region.anchor, &PlannedStage::name);
  if (plan->product.facts.pure != product->pairs->axis) return std::nullopt;
  if (layout && !can_keep(*layout, *plan)) return std::nullopt;
  Alternative pairs{
      .name = std::string(kInnerProductWord),
      .parameters = derive_parameters({plan, &plan->product}, target),
      .decode = [plan, target](const Choices& choices) { return decode(*plan, target, choices); },
      .wanted = default_choices(*plan, target),
      .is_default = pays(*plan)};
  keep_groups(*plan, pairs.parameters);
  if (layout)
    pairs.parameters = with_layout(std::move(pairs.parameters), plan->product.facts, *layout);
  return pairs;
}

}  // namespace dovetail
