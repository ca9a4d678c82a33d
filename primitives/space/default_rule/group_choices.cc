// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/group_choices.h"

#include <algorithm>
#include <string>

#include "primitives/divisors.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/contraction/loop_orders.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

constexpr size_t kMostPermuted = 5;  // axes that a space permutes (loop_orders.h)

// Blocks of channels, each with all its pixels.
void store_in_blocks(const ContractionFacts& s, int64_t channels, Choices& c) {
  for (const std::string& tensor : {s.inputs()[0].tensor, s.output()}) {
    c.set({ParameterKind::channel_tiles, tensor}, 0);
    c.set({ParameterKind::layout_tile, tensor, s.vector_axis}, channels);
  }
}

// Channels last, so that work-items beside each other read and write neighbouring vectors; weights
// as rows of all columns.
void keep_vectors_last(const ContractionFacts& s, int64_t channels_of_neighbours, Choices& c) {
  c.set({ParameterKind::channel_tiles, s.output()}, 1);
  for (const std::string& axis : s.tiled) {
    if (!s.tiles_channels(axis)) continue;
    for (const Access& access : s.inputs()) {
      const int64_t whole = round_up(s.axis(axis).extent, register_tile(c, axis));
      if (access_has(access, axis))
        c.set({ParameterKind::layout_tile, access.tensor, axis},
              s.axis(axis).kind == AxisClass::shared ? s.lanes : whole);
    }
  }
  if (!s.vector_axis.empty())
    c.set({ParameterKind::layout_tile, s.output(), s.vector_axis}, s.lanes);
  if (channels_of_neighbours > 0) return store_in_blocks(s, channels_of_neighbours, c);
  const ParameterId channels(ParameterKind::channel_tiles, s.inputs()[0].tensor);
  c.set(channels, chosen(c, channels, 1));
  if (s.pure.empty() || s.inputs().size() < 2) return;
  c.set({ParameterKind::layout_tile, s.inputs()[1].tensor, s.pure},
        round_up(s.axis(s.pure).extent, unroll_part(c, s.pure)));
}

// Orders of loops in which vectors vary fastest: the permutation that moves the first axis last.
void keep_columns_together(const ContractionPlan& plan, Choices& c) {
  const std::vector<std::string> axes = movable_axes(plan);
  const std::string& vectors = plan.facts.vector_axis;
  if (std::ranges::find(axes, vectors) == axes.end() || axes.size() > kMostPermuted) return;
  int64_t order = 0, orders = 1;
  for (int64_t k = 1; k < std::ssize(axes); ++k) order += orders *= k;
  c.set(ParameterKind::outer_order, order);
  c.set(ParameterKind::cache_order, order);
}

// Without another reduction windows are unrolled, innermost first.
void unroll_windows(const ContractionFacts& s, const GroupTile& tile, Choices& c) {
  if (unrolled_taps(s, tile) > 1) c.set({ParameterKind::unroll, s.windows.back()}, 1);
  if (!s.pure.empty()) return;
  int64_t accumulators = tile.accumulators();
  for (auto window = s.windows.rbegin(); window != s.windows.rend(); ++window) {
    accumulators *= s.axis(*window).extent;
    if (accumulators > kMostUnrolled) return;
    c.set({ParameterKind::unroll, *window}, 1);
  }
}

// Where vectors are of pixels, a work-item reads pixels once for all phases of an output with a
// stride, and from the cache. t3d:n=16,ci=64,co=1,k=4,s=2 of 32 cubed on an H200: 409 us, and 1,217
// with groups for each phase and copies.
bool keep_phases(const ProductTraits& traits, const GroupTile& tile, Choices& c) {
  const ContractionFacts& s = traits.s;
  if (s.phased.empty() || !access_has(s.inputs()[0], s.vector_axis)) return false;
  int64_t accumulators = tile.accumulators();
  bool keeps = false;
  for (const std::string& axis : {s.vector_axis, traits.rows.empty() ? "" : traits.rows.front()}) {
    if (std::ranges::find(s.phased, axis) == s.phased.end()) continue;
    accumulators *= s.axis(axis).phases;
    if (accumulators > max_accumulators(traits.target)) break;
    c.set({ParameterKind::phase, axis}, 1);
    keeps = true;
  }
  return keeps;
}

}  // namespace

Choices tile_choices(const ContractionFacts& s, const std::vector<std::string>& rows,
                     const GroupTile& tile) {
  Choices c;
  for (size_t r = 0; r < rows.size(); ++r) {
    c.append({ParameterKind::register_tile, rows[r]}, tile.rows[r]);
    c.append({ParameterKind::cache_tile, rows[r]}, tile.items_of_rows[r]);
  }
  if (!s.vector_axis.empty()) {
    c.append({ParameterKind::register_tile, s.vector_axis}, tile.vectors * s.lanes);
    c.append({ParameterKind::cache_tile, s.vector_axis}, tile.items_of_vectors);
  }
  if (s.pure.empty()) return c;
  c.append({ParameterKind::unroll_part, s.pure}, tile.unroll);
  c.append({ParameterKind::inner_part, s.pure}, tile.block / tile.unroll);
  c.append({ParameterKind::reduction_parts, s.pure}, tile.parts);
  c.append({ParameterKind::reduction_items, s.pure}, tile.items_of_reduction);
  if (tile.rounds_ahead > 0) c.append(ParameterKind::double_buffer, tile.rounds_ahead);
  if (tile.reduction_first) c.append({ParameterKind::channel_tiles, s.inputs()[0].tensor}, 0);
  return c;
}

void copy_operands(const ContractionFacts& s, const Target& target, const LocalCopies& copies,
                   Choices& c) {
  if (s.pure.empty() || target.local_memory_bytes == 0) return;
  if (copies.may_copy(0)) {
    c.append({ParameterKind::cache_read, s.inputs()[0].tensor}, kInTop);
    const int64_t channels = unroll_part(c, s.pure) * inner_part(c, s.pure);
    const bool share_a_bank =
        chosen(c, {ParameterKind::channel_tiles, s.inputs()[0].tensor}, 1) == 1 &&
        channels >= s.lanes &&
        (!s.windows.empty() || cache_tile(c, s.vector_axis) < target.lockstep_work_items);
    if (share_a_bank) c.append({ParameterKind::row_pad, s.inputs()[0].tensor}, kPadElements);
  }
  if (s.windows.empty() && copies.may_copy(1))
    c.append({ParameterKind::cache_read, s.inputs()[1].tensor}, kInTop);
}

int64_t unrolled_taps(const ContractionFacts& s, const GroupTile& tile) {
  if (s.pure.empty() || s.windows.empty()) return 1;
  const int64_t taps = s.axis(s.windows.back()).extent;
  return tile.accumulators() * tile.unroll * taps <= kMostUnrolled ? taps : 1;
}

DefaultChoices group_choices(const ProductTraits& traits) {
  const ContractionFacts& s = traits.s;
  const GroupTile tile = best_group_tile(traits);
  Choices c = tile_choices(s, traits.rows, tile);
  if (traits.plan.group) c.set({ParameterKind::unroll_part, s.pure}, traits.plan.group->elements);
  if (!keep_phases(traits, tile, c)) copy_operands(s, traits.target, LocalCopies(s), c);
  keep_vectors_last(s, traits.channels_of_neighbours(), c);
  keep_columns_together(traits.plan, c);
  unroll_windows(s, tile, c);
  // Bounds are checked where a tile is filled, instead of in a kernel that pads.
  for (const std::string& row : row_axes(s))
    c.set({ParameterKind::storage, s.inputs()[0].tensor, row}, kGuard);
  return {std::move(c), estimated_seconds(traits, tile)};
}

}  // namespace dovetail
