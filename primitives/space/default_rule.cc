// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule.h"

#include <algorithm>
#include <cmath>

#include "core/ir/index/range_arithmetic.h"
#include "primitives/divisors.h"
#include "primitives/space/loop_orders.h"
#include "primitives/space/parameters.h"

namespace dovetail {
namespace {

struct Tile {
  std::vector<int64_t> phases;  // per axis cut at a stride: those in the tile, 1 or all
  int64_t vectors = 1;
  std::vector<int64_t> rows;  // per row axis, innermost first
};

double used_share(int64_t extent, int64_t tile) {
  return static_cast<double>(extent) / static_cast<double>(round_up(extent, tile));
}

class Rule {
 public:
  Rule(const Structure& s, const Target& target) : s_(s), target_(target) {
    for (auto axis = s.tiled.rbegin(); axis != s.tiled.rend(); ++axis)
      if (*axis != s.vector_axis && rows_.size() < 3) rows_.push_back(*axis);
  }

  Choices choose() {
    Tile tile;
    visit_phases(tile);
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
    const int64_t accumulators = count(best_);
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
    if (target_.name.kind == TargetKind::cpu) {
      read_as_it_is(c);
      sweep_once(c);
      stream_channels(c);
      store_past_caches(c);
    }
    return c;
  }

 private:
  static constexpr int64_t kBlock = 16;                // channels that lie together
  static constexpr int64_t kMaxUnrolledTaps = 60;      // multiply-adds of windows written out
  static constexpr int64_t kMaxUnrolledWindows = 256;  // where nothing else is reduced

  static int64_t count(const Tile& tile) {
    int64_t product = tile.vectors;
    for (int64_t r : tile.rows) product *= r;
    for (int64_t p : tile.phases) product *= p;
    return product;
  }

  void visit_phases(Tile& tile) {
    if (tile.phases.size() == s_.phased.size()) return visit_vectors(tile);
    for (int64_t p : {int64_t{1}, s_.axis(s_.phased[tile.phases.size()]).phases}) {
      tile.phases.push_back(p);
      if (count({tile.phases, 1, {}}) <= s_.max_accumulators / 2) visit_phases(tile);
      tile.phases.pop_back();
    }
  }

  void visit_vectors(Tile& tile) {
    if (s_.vector_axis.empty()) return visit_rows(tile);
    for (int64_t r : register_sizes(s_, s_.vector_axis)) {
      tile.vectors = r / s_.lanes;
      // Half vectors are taken where they divide the channels, in whatever number.
      const bool halves = s_.max_vectors > 4;
      // Additions of pairs read X themselves, unless loads spread its values: values for several
      // vectors would be spread out by the units that add.
      const int64_t most = s_.pairs && !pairs_share_values() ? 1
                           : shares_vectors()                ? 2
                                                             : s_.max_vectors;
      const bool may_be_three = halves || has_few_registers() || pairs_share_values();
      if (tile.vectors <= most && (tile.vectors != 3 || may_be_three)) visit_rows(tile);
    }
  }

  void visit_rows(Tile& tile) {
    const size_t at = tile.rows.size();
    if (at == rows_.size()) {
      const double s = score(tile);
      if (s > best_score_) best_score_ = s, best_ = tile;
      return;
    }
    for (int64_t r : register_sizes(s_, rows_[at])) {
      if (at == 2 && r != 1 && r != 2 && r != 4) continue;
      tile.rows.push_back(r);
      if (count(tile) <= s_.max_accumulators) visit_rows(tile);
      tile.rows.pop_back();
    }
  }

  double score(const Tile& tile) const {
    const auto acc = static_cast<double>(count(tile));
    double rows = acc / static_cast<double>(tile.vectors);
    const bool is_three = tile.vectors == 3 && has_few_registers();
    if (count(tile) + beside_sums(tile) > target_.vector_registers - (is_three ? 0 : 1)) return 0;
    double use = s_.vector_axis.empty()
                     ? 1
                     : used_share(s_.axis(s_.vector_axis).extent, tile.vectors * s_.lanes);
    double cut_short = 1;
    for (size_t r = 0; r < rows_.size(); ++r)
      (ends(rows_[r]) ? cut_short : use) *= used_share(s_.axis(rows_[r]).extent, tile.rows[r]);
    if (use < 1 && target_.vector_registers < 32) use *= without_copies();
    use *= cut_short;
    const bool shared = shares_vectors();
    const double hidden = sums_that_hide_latency(shared);
    double result = use * std::min(1.0, acc / hidden) / std::max(1.0, loads(tile) + 0.37) *
                    (1 - 0.004 * std::abs(acc - hidden - (shared ? 0 : 3)));
    for (size_t r = 1; r < tile.rows.size(); ++r)
      result *= tile.rows[r] > 1 ? (shared ? 0.95 : 0.98) : 1;
    for (int64_t p : tile.phases) {
      result *= p > 1 ? 0.97 : 1;
      rows /= static_cast<double>(p);
    }
    if (pairs_share_values())
      result *= fed_share(tile, rows);
    else if (weight_bytes() > target_.l2_bytes)
      result *= 1 - 0.3 / rows;
    if (is_three) result *= kOtherBlocks;
    if (is_stream() && tile.vectors * s_.lanes >= s_.axis(s_.vector_axis).extent) result *= 1.2;
    return result + (tile.rows.empty() ? 0 : 0.0005 * static_cast<double>(tile.rows[0]));
  }

  // Of a CPU: three vectors by four rows take all of 16. Where rows are few, as in images of 7 x 7,
  // no other tile hides the latency (c2d:ci=512,co=512,h=7,w=7,k=3 on a Zen 3: 3.2 ms against 4.1
  // with two by four); but neighbours have no blocks of 8 channels, and convert them.
  bool has_few_registers() const {
    return target_.name.kind == TargetKind::cpu && target_.vector_registers <= 16 && !s_.pairs;
  }
  static constexpr double kOtherBlocks = 0.8;

  // Vectors of a tile take the same values of X.
  bool pairs_share_values() const { return s_.pairs && spreads_while_loading(target_); }

  // Registers for what meets the sums: weights and a value of X; of pairs that share values, the
  // first two weights of each vector, the values of a group and what is added of them.
  int64_t beside_sums(const Tile& tile) const {
    if (!s_.pairs || tile.vectors == 1) return tile.vectors + 1;
    return 2 * tile.vectors + 4;
  }

  // Weights of a tile that do not stay in the first cache come from the second once for each tile,
  // where some 20 bytes a cycle arrive: they are what few rows wait for (128 x 3072 by 3072 x 768
  // on a Zen 5: 1.95 ms with 8 rows, 2.15 with 6, 2.30 with 5, 2.65 with 4).
  double fed_share(const Tile& tile, double rows) const {
    constexpr double kWaits = 2.2, kFed = 7.3;
    const double panel = terms() * 4 * static_cast<double>(tile.vectors * s_.lanes);
    if (panel <= static_cast<double>(target_.l1_bytes) / 2) return 1;
    return 1 - kWaits * std::max(0.0, 1 / rows - 1 / kFed);
  }

  bool ends(const std::string& axis) const { return s_.axis(axis).merged || s_.axis(axis).ends; }

  // A Zen 3 has 4 cycles of latency and 2 multiply-adds a cycle; with just 8 sums 14x14 images ran
  // at 65 % of its peak, with 10 at 95 %. GPUs hide latency by other work-items.
  double sums_that_hide_latency(bool shared) const {
    if (target_.vector_registers >= 32) return shared ? 7 : 12;
    if (shared) return 4;
    return target_.name.kind == TargetKind::cpu ? 10 : 8;
  }

  // Whoever reads padded rows or columns next gets a copy without them, which takes as long as some
  // 12 multiply-adds for each element.
  double without_copies() const {
    if (target_.name.kind != TargetKind::cpu) return 0.9;
    return terms() / (terms() + 12);
  }

  // Multiply-adds of an element of the output.
  double terms() const {
    double product = 1;
    for (const StructureAxis& axis : s_.axes)
      if (!s_.is_output(axis.name)) product *= static_cast<double>(axis.extent);
    return product;
  }

  // Depthwise: a vector of X meets a vector of W, and the taps of a window share the rows.
  bool shares_vectors() const {
    return !s_.vector_axis.empty() && s_.axis(s_.vector_axis).kind == AxisClass::shared;
  }

  // Distinct values that the inputs give to a multiply-add.
  double loads(const Tile& tile) const {
    if (shares_vectors()) return 0.5;
    double values = 0;
    for (const Access& access : s_.inputs()) {
      const auto reads = [&](const std::string& axis) { return access_has(access, axis); };
      double product = reads(s_.vector_axis) ? static_cast<double>(tile.vectors) : 1;
      for (size_t r = 0; r < rows_.size(); ++r)
        if (reads(rows_[r])) product *= static_cast<double>(tile.rows[r]);
      // The phases of a tile read the same values of X.
      for (size_t p = 0; p < tile.phases.size() && !reads(s_.phased[p]); ++p)
        product *= static_cast<double>(tile.phases[p]);
      values += product;
    }
    return values / static_cast<double>(count(tile));
  }

  int64_t weight_bytes() const {
    return s_.inputs().size() < 2 ? 0 : bytes_of(s_, s_.inputs()[1].tensor);
  }
  bool x_is_large() const { return bytes_of(s_, s_.inputs()[0].tensor) > target_.l3_bytes / 2; }
  bool w_is_small() const { return weight_bytes() <= target_.l2_bytes / 2; }

  // Memory decides: X comes from it once, and each element meets few weights.
  bool is_stream() const {
    if (target_.name.kind != TargetKind::cpu || s_.inputs().size() < 2) return false;
    const bool reduces_channels = !s_.pure.empty() && !s_.vector_axis.empty() && !shares_vectors();
    return reduces_channels && s_.phased.empty() && s_.windows.empty() && x_is_large() &&
           w_is_small();
  }

  // Channels last, whole: one stream from memory and one to it.
  void stream_channels(Choices& c) const {
    const int64_t columns = register_tile(c, s_.vector_axis);
    if (!is_stream() || columns < s_.axis(s_.vector_axis).extent) return;
    c.set({ParameterKind::layout_tile, s_.output(), s_.vector_axis}, columns);
    c.set({ParameterKind::layout_tile, s_.inputs()[0].tensor, s_.pure},
          round_up(s_.axis(s_.pure).extent, unroll_part(c, s_.pure)));
  }

  // An output that leaves the caches anyway, of few multiply-adds each.
  void store_past_caches(Choices& c) const {
    if (terms() <= 64 && bytes_of(s_, s_.output()) > target_.l3_bytes / 2)
      c.set(ParameterKind::stores, 1);
  }

  // Where X does not fit the caches, what would sweep it again and again stays inside the images:
  // columns, and phases. Products that share nothing are always apart.
  void sweep_once(Choices& c) const {
    if (s_.inputs().size() < 2) return;
    const Access &x = s_.inputs()[0], &w = s_.inputs()[1];
    if (x_is_large() && w_is_small() && has_phase_loops(s_, c))
      c.set(ParameterKind::phase_order, 1);
    const std::vector<std::string> axes = movable_axes(s_);
    const auto is_batch = [&](const std::string& axis) {
      if (axis == s_.vector_axis || s_.axis(axis).extent == 1 || !access_has(x, axis)) return false;
      return access_has(w, axis) || (x_is_large() && axis == axes.front());
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

  // Where phases and windows are written out, a tap that is none costs nothing.
  void set_last_taps(Choices& c) const {
    for (const StructureAxis& a : s_.axes) {
      if (a.phase_of.empty()) continue;
      const bool constant = chosen(c, {ParameterKind::phase, a.phase_of}, 0) == 1 &&
                            (a.extent == 1 || chosen(c, {ParameterKind::unroll, a.name}, 0) == 1);
      c.set({ParameterKind::storage, s_.inputs()[1].tensor, a.name}, constant ? kGuard : kPad);
    }
  }

  // Of a product whose tensors have what vectors and the reduction run over last, as networks have
  // them: they stay in that order, and the rows of a tile are streams that caches follow. In blocks
  // of 16 a Zen 3 took 4 to 12 % longer (128 x 768 by 768 x 768).
  bool is_in_order() const {
    if (target_.name.kind != TargetKind::cpu || s_.pure.empty()) return false;
    if (s_.pairs && !pairs_share_values()) return false;
    if (!s_.windows.empty() || !s_.phased.empty() || s_.vector_axis.empty()) return false;
    const auto is_last = [&](const Access& access, const std::string& axis) {
      return access.indices.back() == IndexExpr::variable(axis) &&
             s_.tensor(access.tensor).dims.back().extent == s_.axis(axis).extent;
    };
    const int64_t columns = best_.vectors * s_.lanes;
    return is_last(s_.inputs()[0], s_.pure) && is_last(s_.computation.output, s_.vector_axis) &&
           s_.axis(s_.vector_axis).extent % columns == 0;
  }

  void set_reduction_layouts(Choices& c) const {
    const bool opencl_texel = target_.name.kind == TargetKind::opencl;
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
    if (is_in_order() && s_.axis(s_.pure).extent == extent)
      c.set({ParameterKind::layout_tile, s_.inputs()[0].tensor, s_.pure}, extent);
    sum_in_rounds(unroll, extent, c);
    sum_windows_in_rounds(c);
  }

  // Long sums of a product: in each round the weights of a tile stay in the first cache and rows of
  // X in the second, where all of X would not.
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

  // Where the weights of a tile take most of the second cache, every row of tiles would fetch them
  // from the third one: 512 channels of 3 x 3 by 24 are 442 KB. In rounds each part is fetched
  // once, and asked for before: the first row of tiles would wait for it (images of 7 x 7 on a Zen
  // 3: 3.3 ms, 2.9 in rounds, 2.6 with a distance of some 400 cycles).
  void sum_windows_in_rounds(Choices& c) const {
    if (target_.name.kind != TargetKind::cpu || s_.windows.empty() || !s_.phased.empty()) return;
    if (s_.vector_axis.empty() || shares_vectors() || !s_.sums_fit_output || s_.pairs) return;
    const double panel = terms() * 4 * static_cast<double>(best_.vectors * s_.lanes);
    if (panel <= 0.6 * static_cast<double>(target_.l2_bytes)) return;
    c.set(ParameterKind::reduction_outside, 1);
    int64_t left = target_.l2_bytes / 2 / (4 * count(best_) * s_.lanes);  // tiles of Y
    for (size_t r = 0; r < rows_.size(); ++r) {
      const int64_t tiles = ceil_quotient(s_.axis(rows_[r]).extent, best_.rows[r]);
      const int64_t together = largest_divisor(tiles, std::max<int64_t>(1, left));
      c.set({ParameterKind::cache_tile, rows_[r]}, together);
      left = together < tiles ? 1 : left / tiles;
    }
    if (weight_bytes() > target_.l2_bytes)
      c.set({ParameterKind::prefetch, s_.inputs()[1].tensor}, 16);
  }

  // Channels are kept in lines of a cache, 16 of them, by what writes them and what reads them, so
  // that networks need no conversions. Shorter vectors of depthwise operators take turns.
  int64_t vectors_of_a_block() const {
    const int64_t columns = best_.vectors * s_.lanes;
    if (target_.name.kind != TargetKind::cpu || !shares_vectors() || columns >= kBlock) return 1;
    return s_.axis(s_.vector_axis).extent % kBlock == 0 ? kBlock / columns : 1;
  }
  int64_t output_block() const {
    if (is_in_order()) return s_.axis(s_.vector_axis).extent;
    const int64_t columns = best_.vectors * s_.lanes * vectors_of_a_block();
    return target_.name.kind == TargetKind::cpu && columns <= kBlock ? columns : s_.lanes;
  }

  // In vectors, as outputs are stored, where these have whole parts of a group.
  void set_layouts_of_pairs(Choices& c) const {
    const int64_t group = group_of(*s_.pairs);
    const bool in_vectors = s_.lanes % s_.pairs->apart == 0 && group % s_.lanes == 0;
    c.set({ParameterKind::inner_part, s_.pure}, 1);
    const int64_t extent = s_.axis(s_.pure).extent;
    const int64_t together = is_in_order() && extent % group == 0 ? extent
                             : in_vectors                         ? s_.lanes
                                                                  : group;
    for (const Access& access : s_.inputs())
      c.set({ParameterKind::layout_tile, access.tensor, s_.pure}, together);
  }

  void read_as_it_is(Choices& c) const {
    for (const Access& access : s_.inputs()) {
      for (const std::string& axis : s_.tiled) {
        const StructureAxis& a = s_.axis(axis);
        if (a.kind == AxisClass::row && a.phases <= 2)
          c.set({ParameterKind::storage, access.tensor, axis}, kGuard);
      }
    }
  }

  const Structure& s_;
  const Target& target_;
  std::vector<std::string> rows_;  // row axes that the formula tiles, innermost first
  Tile best_;
  double best_score_ = -1;
};

}  // namespace

Choices default_choices(const Structure& structure, const Target& target) {
  return Rule(structure, target).choose();
}

}  // namespace dovetail
