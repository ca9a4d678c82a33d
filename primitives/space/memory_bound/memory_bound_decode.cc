// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ranges>

#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/space/memory_bound/execution.h"
#include "primitives/space/memory_bound/row_sums.h"
#include "primitives/space/memory_bound/stage_choices.h"
#include "primitives/space/memory_bound/staged_copy.h"

namespace dovetail::memory_bound {
namespace {

constexpr size_t kMostItemLoops = 3;

// Loops of one stage, from its axes and the choices.
class NestBuilder {
 public:
  // `last`: the stage computes the region's output.
  NestBuilder(const Stage& stage, const Target& target, const StageChoices& choices, bool last)
      : stage_(stage),
        target_(target),
        rules_(rules_of(target)),
        choices_(choices),
        inside_(choices.is_inside(stage)),
        streams_(last && choices.chosen_of(ParameterKind::stores, 0) == 1) {}

  // `rounds`: the root's loop in which the stage is computed, if it is inside.
  std::vector<LoopPrimitive> build(const std::string& rounds) {
    if (inside_) {
      const bool workspace = choices_.chosen_of(compute_at(stage_), kApart) == kWorkspace;
      list_.emplace_back(loop::ComputeAt{stage_.root, rounds,
                                         workspace ? TileScope::workspace : TileScope::private_});
    }
    if (stage_.gathers_by_a_reduction()) {
      accumulate_at_first();
      return std::move(list_);
    }
    fuse_reductions(stage_, list_);
    const VectorChoice vectors = choices_.vectors(stage_);
    const std::optional<size_t> rows = choices_.row_axis(stage_);
    for (size_t a = 0; a < stage_.axes.size(); ++a) {
      extent_ = choices_.extent(stage_, a);
      std::string name = without_rounds(a);
      if (name.empty()) continue;
      if (vectors.axis != a && rows != a) {
        place(name, stage_.axes[a], extent_);
        continue;
      }
      const size_t outside = outer_.size();
      const StageAxis between = between_bounds(name, a);
      if (vectors.axis == a)
        cut_vectors(name, between);
      else
        cut_rows(name, between, outside);
    }
    arrange();
    return std::move(list_);
  }

  // The innermost of the root's loops over rounds; empty: it has none.
  std::string round_loop() const { return rounds_.empty() ? "" : rounds_.back().name; }
  // Work-items that share a row, over which that loop runs; 0: none do.
  int64_t items_of_row() const { return items_of_row_; }

 private:
  // Accumulates in registers, because the stored type may be narrower than the sum's.
  void accumulate_at_first() {
    const size_t outputs = stage_.output_axes();
    list_.emplace_back(loop::CacheWrite{
        stage_.tensor, outputs == 0 ? "root" : stage_.axes[outputs - 1].loop, streams_});
  }

  // Splits an axis that all stages of the kernel share into rounds, whose loop goes outside;
  // returns the remaining loop, or an empty name.
  std::string without_rounds(size_t a) {
    const StageAxis& axis = stage_.axes[a];
    if (axis.reduction || inside_ || !choices_.has_rounds(stage_) || !choices_.is_common(stage_, a))
      return axis.loop;
    const int64_t round = choices_.chosen_of(round_of(stage_, axis));
    if (round == axis.extent) return axis.loop;
    const std::string name = round == 1 ? axis.loop : split(axis.loop, round);
    rounds_.push_back(
        {round == 1 ? name : axis.loop + ".0", axis.extent / round, axis.is_bounded, axis.decides});
    extent_ = round;
    return round == 1 ? "" : name;
  }

  // A loop over segments between bounds goes outside; returns the axis of a segment, and its loop.
  StageAxis between_bounds(std::string& name, size_t a) {
    StageAxis axis = stage_.axes[a];
    const int64_t unbroken = std::min(extent_, choices_.unbroken(stage_, a));
    if (unbroken == extent_) return axis;
    place(name + ".0", axis, extent_ / unbroken);
    name = split(name, unbroken);
    extent_ = unbroken;
    axis.is_bounded = false;
    return axis;
  }

  // Returns the inner loop's name.
  std::string split(const std::string& loop, int64_t factor) {
    list_.emplace_back(loop::Split{loop, factor, extent_ % factor == 0 ? Tail::none : Tail::cut});
    return loop + ".1";
  }

  void cut_vectors(std::string name, const StageAxis& axis) {
    const int64_t lanes = choices_.lanes(stage_);
    const int64_t tile = axis.reduction ? lanes : lanes * choices_.side_by_side_of(stage_);
    if (extent_ > tile && tile > 1) {
      tiles_at_ = outer_.size();
      place(name + ".0", axis, (extent_ + tile - 1) / tile);
      name = split(name, tile);
      extent_ = tile;
    }
    if (extent_ > lanes && lanes > 1) {
      // Transposed tiles follow each other in a loop along the axis that is read.
      (choices_.vectors(stage_).across ? tiles_ : vectors_).push_back(name + ".0");
      name = split(name, lanes);
    }
    if (lanes > 1)
      lanes_.push_back(name);
    else
      place(name, axis, extent_);
  }

  // `outside`: index in outer_ of this axis's first loop.
  void cut_rows(std::string name, const StageAxis& axis, size_t outside) {
    const int64_t rows = std::min(choices_.rows(stage_), extent_);
    if (rows == 1) return place(name, axis, extent_);
    if (extent_ > rows) {
      place(name + ".0", axis, (extent_ + rows - 1) / rows);
      if (tiles_at_ && choices_.chosen_of(tile_order(stage_), 0) == 1)
        std::rotate(outer_.begin() + static_cast<ptrdiff_t>(*tiles_at_),
                    outer_.begin() + static_cast<ptrdiff_t>(outside), outer_.end());
      name = split(name, rows);
    }
    rows_.push_back(name);
  }

  void place(const std::string& name, const StageAxis& axis, int64_t extent) {
    if (!axis.reduction) return outer_.push_back({name, extent, axis.is_bounded, axis.decides});
    const int64_t part = choices_.chosen_of(written_out(stage_, axis), 0);
    if (part == 1) return unrolled_.push_back(name);
    if (part == 0 || extent % part != 0) return reductions_.push_back(name);
    list_.emplace_back(loop::Split{name, part, Tail::none});
    reductions_.push_back(name + ".0");
    unrolled_.push_back(name + ".1");
  }

  void arrange() {
    std::vector<OuterLoop> head = rounds_;
    if (rounds_.empty()) head = outer_;
    const int64_t items =
        std::min(choices_.chosen_of(work_items(stage_)), max_work_items(target_, 0));
    const size_t item_loops = inside_ ? 0
                              : choices_.shares_rows(stage_) && !rounds_.empty()
                                  ? cut_row(items, head)
                                  : rules_.cut_items(items, kMostItemLoops, head, list_);
    if (!rounds_.empty()) rounds_ = head;
    // One thread or work-item runs a round: the stages inside it, then the rest of its loops.
    std::vector<OuterLoop> all = head;
    if (!rounds_.empty()) all.insert(all.end(), outer_.begin(), outer_.end());
    std::vector<std::string> order = with_gathers(all);
    const std::string around = order.empty() ? "root" : order.back();
    for (const auto* part : {&tiles_, &reductions_, &unrolled_, &rows_, &vectors_, &lanes_})
      order.insert(order.end(), part->begin(), part->end());
    if (order.size() > 1) list_.emplace_back(loop::Reorder{order});
    for (const auto* part : {&unrolled_, &rows_, &vectors_})
      for (const std::string& name : *part) list_.emplace_back(loop::Unroll{name});
    for (const std::string& name : lanes_) list_.emplace_back(loop::Vectorize{name});
    const bool is_shared = !inside_ && !head.empty();
    const std::string shared =
        is_shared ? rules_.share(head, item_loops, stage_.gathers.empty(), around, list_) : around;
    if (stage_.reduces() || streams_)
      list_.emplace_back(loop::CacheWrite{stage_.tensor, shared, streams_});
  }

  // Work-items along the root's longest loop inside a round.
  size_t cut_row(int64_t items, std::vector<OuterLoop>& head) {
    const auto last =
        std::ranges::max_element(outer_ | std::views::reverse, {}, &OuterLoop::extent);
    if (last != outer_.rend()) std::rotate(last.base() - 1, last.base(), outer_.end());
    if (rules_.cut_items(items, /*most_loops=*/1, outer_, list_) == 0) return 0;
    head.push_back(outer_.back());
    outer_.pop_back();
    items_of_row_ = head.back().extent;
    return 1;
  }

  // Data-dependent loops go directly inside those that decide them, and inside the parallel one.
  std::vector<std::string> with_gathers(const std::vector<OuterLoop>& head) const {
    size_t place = 0;
    bool shared = false;
    std::vector<std::string> order;
    for (const OuterLoop& loop : head) {
      order.push_back(loop.name);
      const bool shares = !shared && loop.extent > 1;
      shared = shared || shares;
      if (loop.decides || shares || rules_.places_gathers_last) place = order.size();
    }
    order.insert(order.begin() + static_cast<ptrdiff_t>(place), stage_.gathers.begin(),
                 stage_.gathers.end());
    return order;
  }

  const Stage& stage_;
  const Target& target_;
  const ExecutionRules& rules_;
  const StageChoices& choices_;
  const bool inside_, streams_;
  int64_t extent_ = 1;  // current loop
  int64_t items_of_row_ = 0;
  std::vector<LoopPrimitive> list_;
  std::vector<OuterLoop> rounds_, outer_;
  std::optional<size_t> tiles_at_;  // index in outer_ of the loop over tiles of vectors
  std::vector<std::string> tiles_, reductions_, unrolled_, rows_, vectors_, lanes_;
};

}  // namespace

Trace decode(const Plan& plan, const Target& target, const Choices& choices) {
  Trace trace;
  const StageChoices chosen(plan, target, choices);
  struct Round {
    std::string loop;
    int64_t items_of_row = 0;
  };
  std::map<std::string, Round> rounds;  // by root
  for (const TensorLayout& layout : plan.layouts) {
    const auto maker = std::ranges::find(plan.stages, layout.tensor, &Stage::tensor);
    const bool is_gone = maker != plan.stages.end() && chosen.is_inlined(*maker);
    if (!is_gone) trace.layouts.push_back(layout);
  }
  for (size_t k = plan.stages.size(); k-- > 0;) {
    const Stage& stage = plan.stages[k];
    if (chosen.is_inlined(stage)) {
      trace.loops.push_back({stage.name, {loop::Inline{}}});
      continue;
    }
    if (chosen.is_staged(stage)) {
      trace.loops.push_back({stage.name, staged_copy_loops(stage, chosen)});
      continue;
    }
    const Round& round = rounds[stage.root];
    if (const auto lanes = chosen.lanes_in_parts(stage, round.items_of_row)) {
      std::vector<StageLoops> lines = row_sum_loops(stage, round.loop, round.items_of_row, *lanes);
      std::ranges::move(lines | std::views::reverse, std::back_inserter(trace.loops));
      continue;
    }
    NestBuilder loops(stage, target, chosen, k + 1 == plan.stages.size());
    std::vector<LoopPrimitive> list = loops.build(round.loop);
    if (!stage.is_inner()) rounds[stage.name] = {loops.round_loop(), loops.items_of_row()};
    if (!list.empty()) trace.loops.push_back({stage.name, std::move(list)});
  }
  std::ranges::reverse(trace.loops);
  return trace;
}

}  // namespace dovetail::memory_bound
