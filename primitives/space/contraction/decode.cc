// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/contraction_plan.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/contraction/group_sum.h"
#include "primitives/space/contraction/loop_orders.h"
#include "primitives/space/layouts/decode_layouts.h"
#include "primitives/space/layouts/placement.h"

namespace dovetail {
namespace {

// One loop over part of an axis: an iteration advances `step` elements.
struct LoopDigit {
  std::string name;
  int64_t step = 1, extent = 1;
  bool of_cut_tail = false;  // comes from a split whose tail was cut
};

// Splits the loops of one axis at `cuts` and appends the splits to `list`; `digits` are the loops
// that the splits of its layout have already made.
std::vector<LoopDigit> cut_loops(std::vector<LoopDigit> digits, const std::vector<int64_t>& cuts,
                                 std::vector<LoopPrimitive>& list) {
  std::vector<LoopDigit> result;
  while (!digits.empty()) {
    LoopDigit digit = digits.back();
    digits.pop_back();
    int64_t cut = 0;  // the coarsest one inside this digit
    for (int64_t c : cuts)
      if (c > digit.step && c < digit.step * digit.extent) cut = std::max(cut, c);
    if (cut == 0) {
      if (digit.extent > 1) result.push_back(digit);
      continue;
    }
    const int64_t factor = cut / digit.step;
    const Tail tail = digit.extent % factor == 0 ? Tail::none : Tail::cut;
    list.push_back(loop::Split{digit.name, factor, tail});
    const bool of_cut_tail = digit.of_cut_tail || tail == Tail::cut;
    digits.push_back({digit.name + ".1", digit.step, factor, of_cut_tail});
    digits.push_back({digit.name + ".0", cut, (digit.extent + factor - 1) / factor, of_cut_tail});
  }
  return result;  // coarse to fine
}

class LoopBuilder {
 public:
  LoopBuilder(const ContractionPlan& plan, const Target& target, const Choices& choices)
      : plan_(plan),
        s_(plan.facts),
        target_(target),
        rules_(execution_rules(target)),
        choices_(choices) {}

  // The operator's own loops, with rfactor also those of the partial sums, and the stages placed in
  // them.
  std::vector<StageLoops> build(const TensorLayout& output) {
    const std::string& made = s_.output();
    if (chosen(choices_, {ParameterKind::reduction_items, s_.pure}) > 1) return group_sum(output);
    sort_output_digits(output, false);
    sort_reduction_digits();
    if (apart_.empty()) {
      arrange(made, plan_.stage);
      placed_.insert(placed_.begin(), {"", std::move(list_)});
      return std::move(placed_);
    }
    std::vector<LoopPrimitive> own = std::exchange(list_, {});
    own.push_back(loop::RFactor{apart_});
    std::ranges::move(loops_of_sum(output, s_.tensor(output.tensor), apart_, target_),
                      std::back_inserter(own));
    arrange(made + ".rf", made + ".rf");
    placed_.insert(placed_.begin(),
                   {StageLoops{"", std::move(own)}, StageLoops{made + ".rf", std::move(list_)}});
    return std::move(placed_);
  }

 private:
  // Work-items along the reduction have a part each of a tile, which the group keeps in local
  // memory, and then a share of the tile, whose parts they sum up:
  //
  //   for o.0 bind group.0              for o.0 bind group.0
  //     for o.1                           for r bind thread.1, o.1 bind thread.0
  //       for i                    →        Y.rf[r, o.1, 0..4] = sum over its part of i
  //         Y[o.0, o.1, 0..4] += …          Y[o.0, o.1, r] = sum(Y.rf[0..4, o.1, r])
  std::vector<StageLoops> group_sum(const TensorLayout& output) {
    const std::string parts = s_.output() + ".rf";
    sort_reduction_digits();
    list_.push_back(loop::RFactor{apart_});
    sort_output_digits(output, false);
    const std::string apart = std::exchange(apart_, "");
    const std::string group = arrange_sum(apart);
    std::vector<LoopPrimitive> own = std::exchange(list_, {});
    for (auto* digits : {&outer_, &cache_}) digits->clear();
    for (auto* loops : {&phases_, &rows_, &vectors_, &lanes_}) loops->clear();
    list_.push_back(loop::ComputeAt{plan_.stage, group, TileScope::local});
    sort_output_digits(output, true);
    apart_ = apart, is_in_group_ = true;
    arrange(parts, parts);
    placed_.insert(placed_.begin(), {StageLoops{"", std::move(own)}, StageLoops{parts, list_}});
    return std::move(placed_);
  }

  // Returns the innermost loop over groups; where one tile is the whole output, a loop of one
  // iteration in its place.
  std::string arrange_sum(const std::string& apart) {
    SharedTile tile = share_tile();
    Head head = head_loops();
    const auto inner = head.loops.begin() + static_cast<ptrdiff_t>(head.num_outer);
    const auto first = head.loops.insert(inner, tile.shares.begin(), tile.shares.end());
    const std::vector<std::string> singles = single_iterations();
    std::vector<std::string> order = singles;
    order.insert(order.end(), head.loops.begin(), head.loops.end());
    order.push_back(apart);
    order.insert(order.end(), tile.own.begin(), tile.own.end());
    list_.push_back(loop::Reorder{order});
    for (const std::string& name : tile.own)
      list_.push_back(name == tile.lanes ? LoopPrimitive(loop::Vectorize{name})
                                         : LoopPrimitive(loop::Unroll{name}));
    for (size_t at = static_cast<size_t>(first - head.loops.begin()); tile.shares.size() > 1;
         tile.shares.pop_back())
      fuse_with_next(at, head, list_);
    rules_.share(head, choices_, target_, list_);
    list_.push_back(loop::CacheWrite{s_.output(), head.loops.back()});
    if (head.num_outer > 0) return head.loops[head.num_outer - 1];
    CHECK(!singles.empty(), "a group's sum is inside a loop of its output");
    return singles.back();
  }

  // Loops of a register tile: those by which work-items along the reduction share it, rows first,
  // and those that each of them keeps.
  struct SharedTile {
    std::vector<std::string> shares, own;
    std::string lanes;  // among `own`, if whole
  };

  SharedTile share_tile() {
    SharedTile tile;
    int64_t items = chosen(choices_, {ParameterKind::reduction_items, s_.pure});
    for (const auto* part : {&rows_, &vectors_, &lanes_}) {
      for (const std::string& name : *part) {
        const int64_t extent = extents_.at(name), shared = std::gcd(items, extent);
        items /= shared;
        if (shared > 1 && shared < extent) list_.push_back(loop::Split{name, extent / shared});
        if (shared > 1 && shared < extent) extents_[name + ".0"] = shared;
        if (shared > 1) tile.shares.push_back(shared < extent ? name + ".0" : name);
        if (shared < extent) tile.own.push_back(shared > 1 ? name + ".1" : name);
        if (part == &lanes_ && shared == 1) tile.lanes = name;
      }
    }
    CHECK(items == 1, "work-items share a tile of as many elements");
    return tile;
  }

  void arrange(const std::string& made, const std::string& stage) {
    Head head = head_loops();
    const bool fuses = rules_.fuses(head, choices_, target_);
    std::vector<std::string> order = fuses ? single_iterations() : std::vector<std::string>{};
    order.insert(order.end(), single_in_tile_.begin(), single_in_tile_.end());
    for (const auto* part : {&head.loops, &reduction_, &unrolled_, &rows_, &vectors_, &lanes_})
      order.insert(order.end(), part->begin(), part->end());
    if (order.size() > 1) list_.push_back(loop::Reorder{order});
    for (const auto* part : {&unrolled_, &rows_, &vectors_})
      for (const std::string& name : *part) list_.push_back(loop::Unroll{name});
    for (const std::string& name : lanes_) list_.push_back(loop::Vectorize{name});
    share(head);
    const std::string at = head.loops.empty() ? "root" : head.loops.back();
    const bool reduces = !reduction_.empty() || !unrolled_.empty() || !kout_.empty();
    const bool streams = chosen(choices_, ParameterKind::stores, 0) == 1 && apart_.empty();
    if (reduces) list_.push_back(loop::CacheWrite{made, at, streams});
    add_prefetches(head.loops);
    place_copies(head, stage);
  }

  void place_copies(const Head& head, const std::string& stage) {
    for (const Access& access : s_.inputs()) {
      const int64_t place = chosen(choices_, {ParameterKind::cache_read, access.tensor}, kNowhere);
      if (place == kNowhere) continue;
      const bool is_padded = !plan_.inputs_are_made && is_copied(s_, choices_, access);
      const std::string copied = access.tensor + (is_padded ? ".pad" : "");
      list_.push_back(
          loop::CacheRead{copied, loop_at(place, head), rules_.copies,
                          chosen(choices_, {ParameterKind::row_pad, access.tensor}, 0)});
      if (const int64_t ahead = chosen(choices_, ParameterKind::double_buffer, 0); ahead > 0)
        list_.push_back(loop::DoubleBuffer{copied + ".cache", ahead + 1});
    }
    const int64_t place = chosen(choices_, padding_place(s_), kNowhere);
    if (!plan_.made_inside.empty())  // a product's stage is named after its output
      placed_.push_back({plan_.made_inside,
                         {loop::ComputeAt{s_.output(), head.loops[num_around_weights_ - 1],
                                          TileScope::workspace}}});
    if (place == kNowhere) return;
    const std::string copy = s_.inputs()[0].tensor + ".pad";
    placed_.push_back({copy, {loop::ComputeAt{stage, loop_at(place, head)}}});
  }

  // `head`: the loops after share().
  std::string loop_at(int64_t place, const Head& head) const {
    if (place == kInTop && !top_.empty()) return top_;
    const size_t around = place == kInBlock ? head.num_outer + kout_.size() : head.loops.size();
    CHECK(around > 0, "a copy is placed where there is no loop");
    return head.loops[around - 1];
  }

  // The loops that an axis has before any primitive: one per digit of the output's layout.
  static std::vector<LoopDigit> stored_digits(const std::string& axis, int64_t extent,
                                              const TensorLayout& output) {
    std::vector<LoopDigit> digits{{axis, 1, extent}};
    for (const LayoutPrimitive& primitive : output.primitives) {
      const auto* split = std::get_if<layout::Split>(&primitive);
      if (split == nullptr) continue;
      const auto digit = std::ranges::find(digits, split->axis, &LoopDigit::name);
      if (digit == digits.end()) continue;
      const LoopDigit outer{split->axis + ".0", digit->step * split->factor,
                            digit->extent / split->factor};
      *digit = {split->axis + ".1", digit->step, split->factor};
      digits.insert(digit + 1, outer);
    }
    return digits;
  }

  void add_prefetches(const std::vector<std::string>& head) {
    for (const Access& access : s_.inputs()) {
      const int64_t distance = chosen(choices_, {ParameterKind::prefetch, access.tensor}, 0);
      if (distance == 0 || access.tensor == plan_.made_inside || reduction_.empty()) continue;
      loop::Prefetch prefetch{access.tensor, reduction_.back(), std::max<int64_t>(distance, 1)};
      if (distance == kNextTile) prefetch.of = loop_over_tiles(head);
      if (distance != kNextTile || !prefetch.of.empty()) list_.push_back(prefetch);
    }
  }

  // The innermost loop that advances to other weights and has loops inside it that reuse them.
  std::string loop_over_tiles(const std::vector<std::string>& head) const {
    const auto goes_on = [&](const std::string& loop) {
      const auto has = [&](const std::map<std::string, std::vector<std::string>>& digits) {
        const auto own = digits.find(s_.vector_axis);
        return own != digits.end() && std::ranges::count(own->second, loop) != 0;
      };
      return has(outer_) || has(cache_) || std::ranges::count(kout_, loop) != 0;
    };
    const auto rows = std::find_if_not(head.rbegin(), head.rend(), goes_on);
    const auto tiles = std::find_if(rows, head.rend(), goes_on);
    return tiles == head.rend() ? "" : *tiles;
  }

  // In a tile, the loops of one group's elements.
  void sort_output_digits(const TensorLayout& output, bool in_tile) {
    const auto padded = padded_extents(s_, choices_);
    for (const ContractionAxis& a : s_.axes) {
      const std::string& axis = a.name;
      const int64_t phases = a.phases;
      if (!s_.is_output(axis) || a.extent * phases == 1) continue;
      const int64_t extent = phases * (padded.contains(axis) ? padded.at(axis) : a.extent);
      const int64_t tile = phases * register_tile(choices_, axis),
                    cache = tile * cache_tile(choices_, axis);
      const int64_t lanes = axis == s_.vector_axis ? phases * s_.lanes : 1;
      std::vector<LoopDigit> stored = stored_digits(axis, extent, output);
      const int64_t kept_phases = phases_in_tile(s_, choices_, axis);
      for (LoopDigit& digit : stored) {
        if (!in_tile) break;
        const int64_t in_group = digit.step < phases ? kept_phases : cache / digit.step;
        digit.extent = std::min(digit.extent, std::max<int64_t>(1, in_group));
        if (digit.extent == 1) single_in_tile_.push_back(digit.name);
      }
      const bool strided = s_.is_strided(axis);
      const int64_t near = strided ? lanes * cache_tile(choices_, axis) : tile;
      for (const LoopDigit& digit : cut_loops(stored, {phases, lanes, near, cache}, list_)) {
        if (digit.of_cut_tail) unfusable_.insert(digit.name);
        extents_[digit.name] = digit.extent;
        if (digit.step < phases)
          (kept_phases == phases ? rows_ : phases_).push_back(digit.name);
        else if (digit.step >= cache)
          outer_[axis].push_back(digit.name);
        else if (digit.step >= near)
          (strided ? vectors_ : cache_[axis]).push_back(digit.name);
        else if (axis != s_.vector_axis)
          rows_.push_back(digit.name);
        else
          (digit.step < lanes ? lanes_ : strided ? cache_[axis] : vectors_).push_back(digit.name);
      }
    }
  }

  void sort_reduction_digits() {
    std::vector<std::string> top, inner, windows;
    if (!s_.pure.empty()) {
      const int64_t apart = plan_.group ? plan_.group->apart : 1;
      const int64_t unroll = unroll_part(choices_, s_.pure),
                    block = unroll * inner_part(choices_, s_.pure);
      const int64_t extent = padded_extents(s_, choices_).at(s_.pure);
      const int64_t parts = chosen(choices_, {ParameterKind::reduction_parts, s_.pure}),
                    items = chosen(choices_, {ParameterKind::reduction_items, s_.pure});
      for (const LoopDigit& digit :
           cut_loops({{s_.pure, 1, extent}},
                     {apart, unroll, block, items > 1 ? block * items : extent / parts}, list_)) {
        extents_[digit.name] = digit.extent;
        if (items > 1 && digit.step == block) {
          apart_ = digit.name;
          continue;
        }
        (digit.step >= block                          ? top
         : digit.step >= unroll || digit.step < apart ? inner
                                                      : unrolled_)
            .push_back(digit.name);
      }
    }
    for (auto window = s_.windows.rbegin(); window != s_.windows.rend(); ++window) {
      const bool unrolled = chosen(choices_, {ParameterKind::unroll, *window}, 0) == 1;
      std::vector<std::string>& part = unrolled ? unrolled_ : windows;
      part.insert(part.begin(), *window);
    }
    if (chosen(choices_, ParameterKind::rfactor, 0) == 1) apart_ = top.at(0), top.clear();
    if (chosen(choices_, {ParameterKind::reduction_parts, s_.pure}) > 1)
      apart_ = top.at(0), top.erase(top.begin());
    if (!top.empty()) top_ = top.back();
    if (chosen(choices_, ParameterKind::reduction_outside, 0) == 1 || !plan_.made_inside.empty())
      kout_ = std::move(top), top.clear();
    std::vector<const std::vector<std::string>*> order = {&top, &windows, &inner};
    const int64_t which = chosen(choices_, ParameterKind::reduction_order, kOuterWindowInner);
    if (which == kWindowOuterInner) order = {&windows, &top, &inner};
    if (which == kOuterInnerWindow) order = {&top, &inner, &windows};
    for (const auto* part : order) reduction_.insert(reduction_.end(), part->begin(), part->end());
  }

  Head head_loops() {
    const bool phases_inside = chosen(choices_, ParameterKind::phase_order, 0) == 1;
    Head head;
    std::vector<std::string>& loops = head.loops;
    const auto append = [&](std::vector<std::string>& part) {
      loops.insert(loops.end(), part.begin(), part.end());
    };
    if (!apart_.empty() && !is_in_group_) loops.push_back(apart_);
    if (!phases_inside) append(phases_);
    if (!plan_.made_inside.empty()) {  // outside parts of the weights, and so outside planes
      for (auto* part : {&outer_[s_.vector_axis], &kout_}) append(*part), part->clear();
      num_around_weights_ = loops.size();
    }
    for (const std::string& axis : plan_.outermost) append(outer_[axis]), append(cache_[axis]);
    for (const std::string& axis : ordered_axes(ParameterKind::outer_order)) append(outer_[axis]);
    if (phases_inside) append(phases_);
    head.num_outer = loops.size();
    head.has_top = !kout_.empty();
    append(kout_);
    if (is_in_group_) loops.push_back(apart_);
    for (const std::string& axis : ordered_axes(ParameterKind::cache_order)) append(cache_[axis]);
    head.extents = extents_;
    const auto is_behind_cut = [&](const std::string& name) { return unfusable_.contains(name); };
    head.num_fusable =
        static_cast<size_t>(std::ranges::find_if(loops, is_behind_cut) - loops.begin());
    return head;
  }

  std::vector<std::string> ordered_axes(ParameterKind order) const {
    return permuted(movable_axes(plan_), s_.vector_axis, chosen(choices_, order, 0));
  }

  // Output axes of extent 1: their loops must not be between two that are fused.
  std::vector<std::string> single_iterations() const {
    std::vector<std::string> names;
    for (const ContractionAxis& axis : s_.axes)
      if (s_.is_output(axis.name) && axis.extent * axis.phases == 1) names.push_back(axis.name);
    return names;
  }

  void share(Head& head) {
    if (plan_.serial) return;
    if (plan_.made_inside.empty()) return rules_.share(head, choices_, target_, list_);
    // The first loop runs over columns of the weights.
    if (target_.name.threads == 1) return;
    ParallelChunks parts =
        parallel_chunks(head.loops, extents_.at(head.loops[0]), target_.name.threads);
    if (parts.split) list_.push_back(*parts.split), ++num_around_weights_;
    head.loops = std::move(parts.loops);
    list_.push_back(loop::Parallel{head.loops[0]});
  }

  const ContractionPlan& plan_;
  const ContractionFacts& s_;
  const Target& target_;
  const ExecutionRules& rules_;
  const Choices& choices_;
  std::vector<LoopPrimitive> list_;
  std::map<std::string, std::vector<std::string>> outer_, cache_;
  std::vector<std::string> phases_, rows_, vectors_, lanes_, kout_, reduction_, unrolled_;
  std::set<std::string> unfusable_;          // loops behind a cut tail
  std::vector<StageLoops> placed_;           // other stages, placed inside these loops
  std::string top_;                          // innermost loop over the top of the reduction
  std::string apart_;                        // the loop that rfactor turns into partial sums
  std::vector<std::string> single_in_tile_;  // loops of one iteration there, as those of groups
  bool is_in_group_ = false;                 // whose work-items have a part each
  LoopExtents extents_;                      // without those of windows
  size_t num_around_weights_ = 0;            // loops around a part of weights that are made inside
};

}  // namespace

Trace decode(const ContractionPlan& plan, const Target& target, const Choices& choices) {
  const ContractionFacts& facts = plan.facts;
  Trace trace;
  for (const Access& access : facts.inputs())
    trace.layouts.push_back(input_layout(facts, choices, access));
  if (chosen(choices, {ParameterKind::store_at, "bias"}, 0) == 1)
    trace.layouts.push_back({"bias", {layout::StoreAt{host_of_bias(facts), facts.pure}}});
  const TensorLayout output = output_layout(facts, choices);
  trace.loops = LoopBuilder(plan, target, choices).build(output);
  trace.layouts.push_back(output);
  fuse_in_loops(facts.merged, trace);
  return trace;
}

}  // namespace dovetail
