// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/ir/index/range_arithmetic.h"
#include "core/ir/operator/accumulator.h"
#include "primitives/divisors.h"
#include "primitives/space/contraction/loop_orders.h"
#include "primitives/space/default_rule/tile_layouts.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

class ThreadLayouts {
 public:
  ThreadLayouts(const ProductTraits& traits, const RegisterTile& tile)
      : traits_(traits),
        s_(traits.s),
        target_(traits.target),
        rows_(traits.rows),
        tile_(tile),
        shares_(cache_shares(traits.target)),
        columns_(tile.vectors * s_.lanes),
        keeps_order_(traits.keeps_order(columns_)) {}

  void set_channels(Choices& c) const {
    if (!s_.vector_axis.empty())
      c.set({ParameterKind::cache_tile, s_.vector_axis}, vectors_of_a_block());
    tile_channels(traits_, s_.vector_axis.empty() ? 1 : output_block(), c);
  }

  void keep_input_whole(Choices& c) const {
    if (s_.pure.empty() || traits_.plan.group) return;
    const int64_t extent = s_.axis(s_.pure).extent;
    if ((keeps_order_ || extent % kChannelBlock != 0) && extent % unroll_part(c, s_.pure) == 0)
      c.set({ParameterKind::layout_tile, s_.inputs()[0].tensor, s_.pure}, extent);
  }

  // Splits long sums of a product into rounds: in each the weights of a tile stay in L1 and rows of
  // X in L2, where all of X would not.
  void sum_in_rounds(Choices& c) const {
    if (traits_.plan.group || !keeps_order_ || rows_.empty() || !traits_.plan.sums_in_parts) return;
    if (bytes_of(s_, s_.inputs()[0].tensor) <= target_.l2_bytes) return;
    const int64_t unroll = unroll_part(c, s_.pure),
                  extent = round_up(s_.axis(s_.pure).extent, unroll);
    const int64_t fitting = target_.l1_bytes / (element_bytes(s_, 1) * columns_);
    const int64_t part = largest_divisor(extent / unroll, fitting / unroll);
    if (part * unroll >= extent) return;
    c.set({ParameterKind::inner_part, s_.pure}, part);
    c.set(ParameterKind::reduction_outside, 1);
    const int64_t tiles = ceil_quotient(s_.axis(rows_[0]).extent, tile_.rows[0]);
    const int64_t tile_bytes = element_bytes(s_, 0) * part * unroll * tile_.rows[0];
    c.set({ParameterKind::cache_tile, rows_[0]},
          largest_divisor(tiles, std::max<int64_t>(1, shares_.rows_of_round / tile_bytes)));
  }

  // Where the weights of a tile take most of L2 (512 channels of 3 x 3 by 24 are 442 KB), every row
  // of tiles would fetch them from L3. In rounds each part is fetched once, and prefetched so that
  // the first row of tiles does not wait (images of 7 x 7 on a Zen 3: 3.3 ms, 2.9 in rounds, 2.6
  // with a prefetch).
  void sum_windows_in_rounds(Choices& c) const {
    if (s_.pure.empty() || s_.windows.empty() || !s_.phased.empty() || s_.vector_axis.empty())
      return;
    if (traits_.shares_vectors() || !traits_.plan.sums_in_parts || traits_.plan.group) return;
    if (traits_.panel_bytes(tile_.vectors) <= shares_.weights_of_tile) return;
    c.set(ParameterKind::reduction_outside, 1);
    const int64_t tile_bytes =
        dovetail::bytes_of(accumulator_type(s_.computation)) * tile_.accumulators() * s_.lanes;
    int64_t left = shares_.sums_of_round / tile_bytes;  // tiles of Y
    for (size_t r = 0; r < rows_.size(); ++r) {
      const int64_t tiles = ceil_quotient(s_.axis(rows_[r]).extent, tile_.rows[r]);
      const int64_t together = largest_divisor(tiles, std::max<int64_t>(1, left));
      c.set({ParameterKind::cache_tile, rows_[r]}, together);
      left = together < tiles ? 1 : left / tiles;
    }
    if (traits_.weight_bytes() > target_.l2_bytes)
      c.set({ParameterKind::prefetch, s_.inputs()[1].tensor}, kAheadInRounds);
  }

  void read_as_it_is(Choices& c) const {
    for (const Access& access : s_.inputs()) {
      for (const std::string& axis : s_.tiled) {
        const ContractionAxis& a = s_.axis(axis);
        if (a.kind == AxisClass::row && a.phases <= 2)
          c.set({ParameterKind::storage, access.tensor, axis}, kGuard);
      }
    }
  }

  // Where X does not fit the caches, loops that would reread it, over columns and phases, go inside
  // the batch loop. Batches of products that share no data are always outermost.
  void sweep_once(Choices& c) const {
    if (s_.inputs().size() < 2) return;
    const Access &x = s_.inputs()[0], &w = s_.inputs()[1];
    if (traits_.x_is_large() && traits_.w_is_small() && has_phase_loops(s_, c))
      c.set(ParameterKind::phase_order, 1);
    const std::vector<std::string> axes = movable_axes(traits_.plan);
    const auto is_batch = [&](const std::string& axis) {
      if (axis == s_.vector_axis || s_.axis(axis).extent == 1 || !access_has(x, axis)) return false;
      return access_has(w, axis) || (traits_.x_is_large() && axis == axes.front());
    };
    const auto batch = std::ranges::find_if(axes, is_batch);
    if (batch != axes.end())
      c.set(ParameterKind::outer_order, order_led_by(*batch, axes, s_.vector_axis));
  }

  // Non-temporal stores, where the output leaves the caches and has few multiply-adds per element.
  void store_past_caches(Choices& c) const {
    if (terms_of(s_) <= kTermsPastCaches && leaves_caches(bytes_of(s_, s_.output()), target_))
      c.set(ParameterKind::stores, 1);
  }

 private:
  // Depthwise operators compute a block in several shorter vectors, in turn.
  int64_t vectors_of_a_block() const {
    if (!traits_.shares_vectors() || columns_ >= kChannelBlock) return 1;
    return s_.axis(s_.vector_axis).extent % kChannelBlock == 0 ? kChannelBlock / columns_ : 1;
  }
  int64_t output_block() const {
    const ContractionAxis& channels = s_.axis(s_.vector_axis);
    if (keeps_order_) return channels.extent;
    const int64_t columns = columns_ * vectors_of_a_block();
    if (channels.tail == AxisTail::cut_untiled) return round_up(channels.extent, columns);
    return columns <= kChannelBlock ? columns : s_.lanes;
  }

  const ProductTraits& traits_;
  const ContractionFacts& s_;
  const Target& target_;
  const std::vector<std::string>& rows_;
  const RegisterTile& tile_;
  const CacheShares shares_;
  int64_t columns_;
  bool keeps_order_;
};

}  // namespace

void keep_channels_last(const ProductTraits& traits, Choices& c) {
  const ContractionFacts& s = traits.s;
  if (!traits.is_memory_bound()) return;
  const int64_t columns = register_tile(c, s.vector_axis);
  if (columns < s.axis(s.vector_axis).extent) return;
  c.set({ParameterKind::layout_tile, s.output(), s.vector_axis}, columns);
  c.set({ParameterKind::layout_tile, s.inputs()[0].tensor, s.pure},
        round_up(s.axis(s.pure).extent, unroll_part(c, s.pure)));
}

void lay_out_for_threads(const ProductTraits& traits, const RegisterTile& tile, Choices& choices) {
  const ThreadLayouts layouts(traits, tile);
  layouts.set_channels(choices);
  block_reduction(traits, choices);
  layouts.keep_input_whole(choices);
  layouts.sum_in_rounds(choices);
  layouts.sum_windows_in_rounds(choices);
  layouts.read_as_it_is(choices);
  layouts.sweep_once(choices);
  keep_channels_last(traits, choices);
  layouts.store_past_caches(choices);
}

}  // namespace dovetail
