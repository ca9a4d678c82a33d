// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/default_rule.h"

#include <algorithm>

#include "core/ir/index/range_arithmetic.h"
#include "primitives/divisors.h"
#include "primitives/space/alternatives/pairs_space.h"
#include "primitives/space/default_rule/register_tile.h"
#include "primitives/space/loop_orders.h"
#include "primitives/space/moved_bytes.h"
#include "primitives/space/parameters.h"

namespace dovetail {
namespace {

class Rule {
 public:
  explicit Rule(const ProductTraits& traits)
      : traits_(traits),
        s_(traits.s),
        target_(traits.target),
        rows_(traits.rows),
        best_(best_tile(traits)) {}

  Choices choose() {
    Choices c;
    for (size_t p = 0; p < s_.phased.size(); ++p)
      c.set({ParameterKind::phase, s_.phased[p]}, best_.phases[p] > 1 ? 1 : 0);
    for (size_t r = 0; r < rows_.size(); ++r)
      c.set({ParameterKind::register_tile, rows_[r]}, best_.rows[r]);
    if (!s_.vector_axis.empty()) {
      c.set({ParameterKind::register_tile, s_.vector_axis}, best_.vectors * s_.lanes);
      c.set({ParameterKind::cache_tile, s_.vector_axis}, vectors_of_a_block());
      c.set({ParameterKind::layout_tile, s_.output(), s_.vector_axis}, output_block());
    }
    const int64_t accumulators = best_.accumulators();
    if (s_.pure.empty()) {
      unroll_windows(accumulators, kMaxUnrolledWindows, c);
    } else if (s_.pairs) {
      c.set({ParameterKind::unroll_part, s_.pure}, group_of(*s_.pairs));
    } else if (best_.vectors == 1) {
      c.set({ParameterKind::unroll_part, s_.pure}, 1);
      unroll_windows(accumulators, kMaxUnrolledTaps, c);
    } else {
      c.set({ParameterKind::unroll_part, s_.pure}, unroll_factor(accumulators));
    }
    set_reduction_layouts(c);
    set_last_taps(c);
    if (traits_.on_threads()) {
      read_as_it_is(c);
      sweep_once(c);
      stream_channels(c);
      store_past_caches(c);
    }
    return c;
  }

 private:
  static constexpr int64_t kBlock = 16;                // channels stored together
  static constexpr int64_t kMaxUnrolledTaps = 60;      // multiply-adds of unrolled windows
  static constexpr int64_t kMaxUnrolledWindows = 256;  // where there is no pure reduction

  // Channels last and untiled: one stream from memory and one to it.
  void stream_channels(Choices& c) const {
    const int64_t columns = register_tile(c, s_.vector_axis);
    if (!traits_.is_stream() || columns < s_.axis(s_.vector_axis).extent) return;
    c.set({ParameterKind::layout_tile, s_.output(), s_.vector_axis}, columns);
    c.set({ParameterKind::layout_tile, s_.inputs()[0].tensor, s_.pure},
          round_up(s_.axis(s_.pure).extent, unroll_part(c, s_.pure)));
  }

  // Non-temporal stores, where the output leaves the caches and has few multiply-adds per element.
  void store_past_caches(Choices& c) const {
    if (terms_of(s_) <= 64 && leaves_caches(bytes_of(s_, s_.output()), target_))
      c.set(ParameterKind::stores, 1);
  }

  // Where X does not fit the caches, loops that would reread it, over columns and phases, go inside
  // the batch loop. Batches of products that share no data are always outermost.
  void sweep_once(Choices& c) const {
    if (s_.inputs().size() < 2) return;
    const Access &x = s_.inputs()[0], &w = s_.inputs()[1];
    if (traits_.x_is_large() && traits_.w_is_small() && has_phase_loops(s_, c))
      c.set(ParameterKind::phase_order, 1);
    const std::vector<std::string> axes = movable_axes(s_);
    const auto is_batch = [&](const std::string& axis) {
      if (axis == s_.vector_axis || s_.axis(axis).extent == 1 || !access_has(x, axis)) return false;
      return access_has(w, axis) || (traits_.x_is_large() && axis == axes.front());
    };
    const auto batch = std::ranges::find_if(axes, is_batch);
    if (batch != axes.end())
      c.set(ParameterKind::outer_order, order_led_by(*batch, axes, s_.vector_axis));
  }

  int64_t unroll_factor(int64_t accumulators) const {
    const int64_t extent = s_.axis(s_.pure).extent;
    if (extent <= 4) return extent;
    for (int64_t u : accumulators <= 16 ? std::vector<int64_t>{4, 3, 2} : std::vector<int64_t>{2})
      if (extent % u == 0) return u;
    return 1;
  }

  void unroll_windows(int64_t accumulators, int64_t limit, Choices& c) const {
    for (auto window = s_.windows.rbegin(); window != s_.windows.rend(); ++window) {
      accumulators *= s_.axis(*window).extent;
      if (accumulators > limit) return;
      c.set({ParameterKind::unroll, *window}, 1);
    }
  }

  // Where phases and windows are unrolled, the check for a missing last tap costs nothing.
  void set_last_taps(Choices& c) const {
    for (const StructureAxis& a : s_.axes) {
      if (a.phase_of.empty()) continue;
      const bool constant = chosen(c, {ParameterKind::phase, a.phase_of}, 0) == 1 &&
                            (a.extent == 1 || chosen(c, {ParameterKind::unroll, a.name}, 0) == 1);
      c.set({ParameterKind::storage, s_.inputs()[1].tensor, a.name}, constant ? kGuard : kPad);
    }
  }

  // Whether tensors keep their order, as networks store them: X ends with the reduction and Y with
  // the vector axis, so that the rows of a tile are streams that prefetchers follow. In blocks of
  // 16 a Zen 3 took 4 to 12 % longer (128 x 768 by 768 x 768).
  bool is_in_order() const {
    if (!traits_.on_threads() || s_.pure.empty()) return false;
    return (!s_.pairs || traits_.pairs_share_values()) && is_product_of_rows();
  }

  bool is_product_of_rows() const {
    if (!s_.windows.empty() || !s_.phased.empty() || s_.vector_axis.empty()) return false;
    const auto is_last = [&](const Access& access, const std::string& axis) {
      return !access.indices.empty() && access.indices.back() == IndexExpr::variable(axis) &&
             s_.tensor(access.tensor).dims.back().extent == s_.axis(axis).extent;
    };
    const int64_t columns = best_.vectors * s_.lanes;
    return is_last(s_.inputs()[0], s_.pure) && is_last(s_.computation.output, s_.vector_axis) &&
           s_.axis(s_.vector_axis).extent % columns == 0;
  }

  void set_reduction_layouts(Choices& c) const {
    const bool opencl_texel = runs_work_groups(target_);
    const std::string weights = s_.inputs()[1].tensor;
    for (const std::string& axis : s_.tiled) {
      if (!s_.tiles_channels(axis)) continue;
      const int64_t tile = chosen(c, {ParameterKind::register_tile, axis}, 0);
      c.set({ParameterKind::layout_tile, weights, axis},
            opencl_texel ? s_.lanes : tile * chosen(c, {ParameterKind::cache_tile, axis}, 1));
      if (s_.axis(axis).kind == AxisClass::shared)
        c.set({ParameterKind::layout_tile, s_.inputs()[0].tensor, axis}, output_block());
    }
    if (s_.pure.empty()) return;
    const int64_t unroll = unroll_part(c, s_.pure),
                  extent = round_up(s_.axis(s_.pure).extent, unroll);
    if (s_.pairs) return set_layouts_of_pairs(c);
    const int64_t most = extent % kBlock != 0 && extent % 8 == 0 ? 8 : kBlock;
    const int64_t inner = largest_divisor(extent / unroll, most / unroll);
    c.set({ParameterKind::inner_part, s_.pure}, inner);
    for (const Access& access : s_.inputs())
      c.set({ParameterKind::layout_tile, access.tensor, s_.pure}, unroll * inner);
    if ((is_in_order() || extent % kBlock != 0) && traits_.on_threads() &&
        s_.axis(s_.pure).extent == extent)
      c.set({ParameterKind::layout_tile, s_.inputs()[0].tensor, s_.pure}, extent);
    sum_in_rounds(unroll, extent, c);
    sum_windows_in_rounds(c);
  }

  // Splits long sums of a product into rounds: in each the weights of a tile stay in L1 and rows of
  // X in L2, where all of X would not.
  void sum_in_rounds(int64_t unroll, int64_t extent, Choices& c) const {
    if (s_.pairs || !is_in_order() || rows_.empty() || !s_.sums_fit_output) return;
    if (bytes_of(s_, s_.inputs()[0].tensor) <= target_.l2_bytes) return;
    const int64_t fitting = target_.l1_bytes / (4 * best_.vectors * s_.lanes);
    const int64_t part = largest_divisor(extent / unroll, fitting / unroll);
    if (part * unroll >= extent) return;
    c.set({ParameterKind::inner_part, s_.pure}, part);
    c.set(ParameterKind::reduction_outside, 1);
    const int64_t tiles = ceil_quotient(s_.axis(rows_[0]).extent, best_.rows[0]);
    const int64_t tile_bytes = 4 * part * unroll * best_.rows[0];
    c.set({ParameterKind::cache_tile, rows_[0]},
          largest_divisor(tiles, std::max<int64_t>(1, target_.l2_bytes * 3 / 4 / tile_bytes)));
  }

  // Where the weights of a tile take most of L2 (512 channels of 3 x 3 by 24 are 442 KB), every row
  // of tiles would fetch them from L3. In rounds each part is fetched once, and prefetched so that
  // the first row of tiles does not wait (images of 7 x 7 on a Zen 3: 3.3 ms, 2.9 in rounds, 2.6
  // with a prefetch distance of some 400 cycles).
  void sum_windows_in_rounds(Choices& c) const {
    if (!traits_.on_threads() || s_.windows.empty() || !s_.phased.empty()) return;
    if (s_.vector_axis.empty() || traits_.shares_vectors() || !s_.sums_fit_output || s_.pairs)
      return;
    if (traits_.panel_bytes(best_.vectors) <= 0.6 * static_cast<double>(target_.l2_bytes)) return;
    c.set(ParameterKind::reduction_outside, 1);
    int64_t left = target_.l2_bytes / 2 / (4 * best_.accumulators() * s_.lanes);  // tiles of Y
    for (size_t r = 0; r < rows_.size(); ++r) {
      const int64_t tiles = ceil_quotient(s_.axis(rows_[r]).extent, best_.rows[r]);
      const int64_t together = largest_divisor(tiles, std::max<int64_t>(1, left));
      c.set({ParameterKind::cache_tile, rows_[r]}, together);
      left = together < tiles ? 1 : left / tiles;
    }
    if (traits_.weight_bytes() > target_.l2_bytes)
      c.set({ParameterKind::prefetch, s_.inputs()[1].tensor}, 16);
  }

  // Producers and consumers store channels in blocks of a cache line, 16, so that networks need no
  // conversions. Depthwise operators compute a block in several shorter vectors, in turn.
  int64_t vectors_of_a_block() const {
    const int64_t columns = best_.vectors * s_.lanes;
    if (!traits_.on_threads() || !traits_.shares_vectors() || columns >= kBlock) return 1;
    return s_.axis(s_.vector_axis).extent % kBlock == 0 ? kBlock / columns : 1;
  }
  int64_t output_block() const {
    if (is_in_order()) return s_.axis(s_.vector_axis).extent;
    const int64_t columns = best_.vectors * s_.lanes * vectors_of_a_block();
    if (s_.axis(s_.vector_axis).ends) return round_up(s_.axis(s_.vector_axis).extent, columns);
    return traits_.on_threads() && columns <= kBlock ? columns : s_.lanes;
  }

  // Blocks of a vector, as outputs are stored, where a group has whole ones. In a product of rows,
  // which no other operator reads in vectors, the values of a group are stored together: 128 rows
  // apart they would be 8 KB from each other, in the same sets of an 8-way cache. Tiles of one
  // vector read weights fast, so the next tile's are prefetched (128 x 768 by 768 x 3072 on a Zen
  // 4: 5.4 ms, 4.6 with it).
  void set_layouts_of_pairs(Choices& c) const {
    const int64_t group = group_of(*s_.pairs);
    const bool in_vectors = s_.lanes % s_.pairs->apart == 0 && group % s_.lanes == 0;
    c.set({ParameterKind::inner_part, s_.pure}, 1);
    const int64_t extent = s_.axis(s_.pure).extent;
    const int64_t together = is_in_order() && extent % group == 0  ? extent
                             : in_vectors && !is_product_of_rows() ? s_.lanes
                                                                   : group;
    for (const Access& access : s_.inputs())
      c.set({ParameterKind::layout_tile, access.tensor, s_.pure}, together);
    if (windows_in_vectors(s_))
      c.set({ParameterKind::layout_tile, s_.inputs()[0].tensor, s_.pure}, 0);
    if (!traits_.pairs_share_values() && traits_.weight_bytes() > target_.l2_bytes)
      c.set({ParameterKind::prefetch, s_.inputs()[1].tensor}, kNextTile);
  }

  void read_as_it_is(Choices& c) const {
    if (s_.pairs && windows_in_vectors(s_)) return;
    for (const Access& access : s_.inputs()) {
      for (const std::string& axis : s_.tiled) {
        const StructureAxis& a = s_.axis(axis);
        if (a.kind == AxisClass::row && a.phases <= 2)
          c.set({ParameterKind::storage, access.tensor, axis}, kGuard);
      }
    }
  }

  const ProductTraits& traits_;
  const Structure& s_;
  const Target& target_;
  const std::vector<std::string>& rows_;
  RegisterTile best_;
};

}  // namespace

Choices default_choices(const Structure& structure, const Target& target) {
  const ProductTraits traits(structure, target);
  return Rule(traits).choose();
}

}  // namespace dovetail
