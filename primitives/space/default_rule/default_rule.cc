// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/default_rule.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/space/default_rule/group_choices.h"
#include "primitives/space/default_rule/tile_layouts.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxUnrolledTaps = 60;      // multiply-adds of unrolled windows
constexpr int64_t kMaxUnrolledWindows = 256;  // where there is no pure reduction

Choices register_choices(const ContractionFacts& s, const std::vector<std::string>& rows,
                         const RegisterTile& tile) {
  Choices c;
  for (size_t p = 0; p < s.phased.size(); ++p)
    c.set({ParameterKind::phase, s.phased[p]}, tile.phases[p] > 1 ? 1 : 0);
  for (size_t r = 0; r < rows.size(); ++r)
    c.set({ParameterKind::register_tile, rows[r]}, tile.rows[r]);
  if (!s.vector_axis.empty())
    c.set({ParameterKind::register_tile, s.vector_axis}, tile.vectors * s.lanes);
  return c;
}

int64_t unroll_factor(int64_t extent, int64_t accumulators) {
  if (extent <= 4) return extent;
  for (int64_t u : accumulators <= 16 ? std::vector<int64_t>{4, 3, 2} : std::vector<int64_t>{2})
    if (extent % u == 0) return u;
  return 1;
}

void unroll_windows(const ContractionFacts& s, int64_t accumulators, int64_t limit, Choices& c) {
  for (auto window = s.windows.rbegin(); window != s.windows.rend(); ++window) {
    accumulators *= s.axis(*window).extent;
    if (accumulators > limit) return;
    c.set({ParameterKind::unroll, *window}, 1);
  }
}

void unroll(const ContractionPlan& plan, const RegisterTile& tile, Choices& c) {
  const ContractionFacts& s = plan.facts;
  if (s.pure.empty()) return unroll_windows(s, tile.accumulators(), kMaxUnrolledWindows, c);
  int64_t part = 1;
  if (plan.group)
    part = plan.group->elements;
  else if (tile.vectors == 1)
    unroll_windows(s, tile.accumulators(), kMaxUnrolledTaps, c);
  else
    part = unroll_factor(s.axis(s.pure).extent, tile.accumulators());
  c.set({ParameterKind::unroll_part, s.pure}, part);
}

// Where phases and windows are unrolled, the check for a missing last tap costs nothing.
void set_last_taps(const ContractionFacts& s, Choices& c) {
  for (const ContractionAxis& a : s.axes) {
    if (a.phase_of.empty()) continue;
    const bool constant = chosen(c, {ParameterKind::phase, a.phase_of}, 0) == 1 &&
                          (a.extent == 1 || chosen(c, {ParameterKind::unroll, a.name}, 0) == 1);
    c.set({ParameterKind::storage, s.inputs()[1].tensor, a.name}, constant ? kGuard : kPad);
  }
}

}  // namespace

void block_reduction(const ProductTraits& traits, Choices& c) {
  const ContractionFacts& s = traits.s;
  if (s.pure.empty() || traits.plan.group) return;
  const int64_t unroll = unroll_part(c, s.pure), extent = round_up(s.axis(s.pure).extent, unroll);
  const int64_t most = extent % kChannelBlock != 0 && extent % 8 == 0 ? 8 : kChannelBlock;
  const int64_t inner = largest_divisor(extent / unroll, most / unroll);
  c.set({ParameterKind::inner_part, s.pure}, inner);
  for (const Access& access : s.inputs())
    c.set({ParameterKind::layout_tile, access.tensor, s.pure}, unroll * inner);
}

void tile_channels(const ProductTraits& traits, int64_t block, Choices& c) {
  const ContractionFacts& s = traits.s;
  for (const std::string& axis : s.tiled) {
    if (!s.tiles_channels(axis)) continue;
    const int64_t whole = chosen(c, {ParameterKind::register_tile, axis}, 0) * cache_tile(c, axis);
    c.set({ParameterKind::layout_tile, s.inputs()[1].tensor, axis}, whole);
    if (s.axis(axis).kind == AxisClass::shared)
      c.set({ParameterKind::layout_tile, s.inputs()[0].tensor, axis}, block);
  }
  if (!s.vector_axis.empty()) c.set({ParameterKind::layout_tile, s.output(), s.vector_axis}, block);
}

namespace {

Choices thread_choices(const ProductTraits& traits) {
  const RegisterTile tile = best_tile(traits);
  Choices choices = register_choices(traits.s, traits.rows, tile);
  unroll(traits.plan, tile, choices);
  lay_out_for_threads(traits, tile, choices);
  return choices;
}

}  // namespace

DefaultChoices default_choices(const ContractionPlan& plan, const Target& target) {
  const ProductTraits traits(plan, target);
  DefaultChoices found =
      runs_threads(target) ? DefaultChoices{thread_choices(traits)} : group_choices(traits);
  set_last_taps(plan.facts, found.choices);
  return found;
}

}  // namespace dovetail
