// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/group_sum.h"

#include <algorithm>
#include <numeric>

#include "core/ir/index/range_arithmetic.h"
#include "primitives/divisors.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/layouts/placement.h"

namespace dovetail {
namespace {

constexpr int64_t kElementBytes = 4;

// The loops of one group's tile are digits of the output's layout, so that a tile must not reach
// over a digit's end.
bool has_boxes(const ContractionFacts& s, const Choices& c) {
  if (chosen(c, {ParameterKind::layout_levels, s.output()}) > 1) return false;
  return std::ranges::all_of(s.tiled, [&](const std::string& axis) {
    if (!s.is_output(axis)) return true;
    const int64_t stored = layout_tile(c, s.output(), axis),
                  tile = register_tile(c, axis) * cache_tile(c, axis);
    return stored == 0 || stored % tile == 0 || tile % stored == 0;
  });
}

bool has_several_groups(const ContractionFacts& s, const Choices& c) {
  return std::ranges::any_of(s.axes, [&](const ContractionAxis& a) {
    if (!s.is_output(a.name)) return false;
    const int64_t tile = register_tile(c, a.name) * cache_tile(c, a.name);
    return a.extent > tile || a.phases > phases_in_tile(s, c, a.name);
  });
}

// True where so many work-items share lanes and whole vectors of a tile alike: one loop over both
// would run across a cut of the output's layout between them.
bool crosses_a_cut(const ContractionFacts& s, const Choices& c, int64_t items) {
  const int64_t tile = register_tile(c, s.vector_axis),
                stored = layout_tile(c, s.output(), s.vector_axis);
  if (s.vector_axis.empty() || stored == 0 || stored >= tile) return false;
  for (const ContractionAxis& a : s.axes)
    if (s.is_output(a.name) && a.name != s.vector_axis)
      items /= std::gcd(items, register_tile(c, a.name) * phases_in_tile(s, c, a.name));
  const int64_t of_vectors = std::gcd(items, tile / s.lanes);
  return of_vectors > 1 && items > of_vectors;
}

std::vector<int64_t> parts_of_group(const ContractionFacts& s, const Choices& c,
                                    const Target& target) {
  const bool may = chosen(c, {ParameterKind::reduction_parts, s.pure}) == 1 &&
                   chosen(c, {ParameterKind::store_at, "bias"}, 0) == 0 &&
                   chosen(c, padding_place(s), kNowhere) == kNowhere && has_boxes(s, c) &&
                   has_several_groups(s, c);
  if (!may) return {1};
  const int64_t blocks = round_up(s.axis(s.pure).extent, unroll_part(c, s.pure)) /
                         (unroll_part(c, s.pure) * inner_part(c, s.pure));
  std::vector<int64_t> parts = divisors(std::gcd(blocks, elements_of_tile(s, c)));
  const int64_t most = std::min(target.max_work_group_size, kMostWorkItems) / work_items(s, c);
  std::erase_if(parts, [&](int64_t p) {
    Choices with = c;
    with.set({ParameterKind::reduction_items, s.pure}, p);
    return p > 1 && (p > most || crosses_a_cut(s, c, p) ||
                     bytes_of_group_sum(s, with) > target.local_memory_bytes);
  });
  return parts;
}

}  // namespace

int64_t work_items(const ContractionFacts& s, const Choices& c) {
  int64_t items = chosen(c, {ParameterKind::reduction_items, s.pure});
  for (const std::string& axis : s.tiled) items *= cache_tile(c, axis);
  return items;
}

int64_t phases_in_tile(const ContractionFacts& s, const Choices& c, const std::string& axis) {
  return chosen(c, {ParameterKind::phase, axis}, 0) == 1 ? s.axis(axis).phases : 1;
}

int64_t elements_of_tile(const ContractionFacts& s, const Choices& c) {
  int64_t elements = 1;
  for (const ContractionAxis& a : s.axes)
    if (s.is_output(a.name)) elements *= register_tile(c, a.name) * phases_in_tile(s, c, a.name);
  return elements;
}

int64_t bytes_of_group_sum(const ContractionFacts& s, const Choices& c) {
  if (chosen(c, {ParameterKind::reduction_items, s.pure}) == 1) return 0;
  return work_items(s, c) * elements_of_tile(s, c) * kElementBytes;
}

bool may_sum_in_groups(const ContractionPlan& plan, const Target& target) {
  return plan.shares_reduction && !plan.stage.empty() && !plan.group && plan.facts.merged.empty() &&
         target.local_memory_bytes > 0;
}

void add_reduction_items(const std::shared_ptr<const ContractionPlan>& plan, const Target& target,
                         ParameterList& list) {
  if (!may_sum_in_groups(*plan, target)) return;
  const std::shared_ptr<const ContractionFacts> s = facts_of(plan);
  std::vector<ParameterId> reads = {{ParameterKind::unroll_part, s->pure},
                                    {ParameterKind::inner_part, s->pure},
                                    {ParameterKind::reduction_parts, s->pure},
                                    {ParameterKind::store_at, "bias"},
                                    padding_place(*s),
                                    {ParameterKind::layout_levels, s->output()}};
  for (const ParameterId& tile : tiles_of(s->tiled)) reads.push_back(tile);
  for (const std::string& axis : s->tiled) {
    reads.push_back({ParameterKind::layout_tile, s->output(), axis});
    reads.push_back({ParameterKind::phase, axis});
  }
  list.add({ParameterKind::reduction_items, s->pure},
           "work-items of a group along " + s->pure + ", which adds up their parts; 1: none", reads,
           [s, target](const Choices& c) { return parts_of_group(*s, c, target); })
      .off_percent = kWholePercent;
}

}  // namespace dovetail
