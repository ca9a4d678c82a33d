// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/default_loops.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <ranges>
#include <span>

#include "core/base/check.h"
#include "primitives/copy.h"
#include "primitives/divisors.h"
#include "primitives/initial_loops.h"
#include "primitives/loop/apply_loop.h"
#include "primitives/loop/caching.h"
#include "primitives/loop/copy_loops.h"
#include "primitives/loop/legal_loops.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/lowering/nest/build_nest.h"
#include "primitives/lowering/nest/factored_sum.h"

namespace dovetail {
namespace {

constexpr int64_t kWorkItems = 64;  // default per work-group

// Builds the loops of a transform, see default_loops.h.
class TransformLoops {
 public:
  TransformLoops(const Stage& stage, const Target& target) : stage_(stage), target_(target) {}

  Stage make(bool vectorized, bool shared) {
    cut_tiles();
    if (vectorized) cut_lanes();
    for (const StageLoop& loop : stage_.loops) {
      if (loop.name == lane_) continue;
      const bool table = runs_over_table(stage_, loop.name);
      (table ? written_out_ : loop.extent == 1 ? single_ : outer_).push_back(loop.name);
    }
    std::vector<std::string> order = outer_;
    for (const auto* part : {&single_, &written_out_})
      order.insert(order.end(), part->begin(), part->end());
    if (!lane_.empty()) order.push_back(lane_);
    then(loop::Reorder{order});
    for (const std::string& name : written_out_) then(loop::Unroll{name});
    if (!lane_.empty()) then(loop::Vectorize{lane_});
    if (shared) share();
    return std::move(stage_);
  }

 private:
  void then(const LoopPrimitive& primitive) { stage_ = with_legal_loops(stage_, {primitive}); }

  int64_t extent_of(const std::string& name) const {
    return std::ranges::find(stage_.loops, name, &StageLoop::name)->extent;
  }

  // Splits a loop that runs over a table once per tile into tiles.
  void cut_tiles() {
    for (const StageLoop& loop : std::vector<StageLoop>(stage_.loops)) {
      const int64_t period = period_over_table(stage_, loop.name);
      if (period > 1 && loop.extent > period && loop.extent % period == 0)
        then(loop::Split{loop.name, period});
    }
  }

  // Chooses the innermost physical axis of the output, or its innermost part, as vector lanes.
  void cut_lanes() {
    std::string name;
    for (const StageLoop& loop : stage_.loops)
      if (!loop.reduction) name = loop.name;
    if (name.empty() || runs_over_table(stage_, name)) return;
    const int64_t extent = extent_of(name);
    const int64_t width = default_vector_width(extent, vector_lanes(target_));
    if (width == 1) return;
    if (width < extent) then(loop::Split{name, width});
    lane_ = width < extent ? name + ".1" : name;
  }

  void share() {
    if (outer_.empty()) return;
    if (runs_threads(target_)) return then(loop::Parallel{outer_[0]});
    const std::vector<std::string> items = take_work_items();
    bind(items, ThreadAxis::thread_0);
    bind(outer_, ThreadAxis::group_0);
  }

  void bind(const std::vector<std::string>& loops, ThreadAxis innermost) {
    std::vector<LoopPrimitive> binds;
    bind_loops(loops, innermost, binds);
    stage_ = with_legal_loops(stage_, std::move(binds));
  }

  // Takes the innermost outer loops, as many as fit a group, and a part of the next one. The
  // outermost is left to groups, unless it is the only one.
  std::vector<std::string> take_work_items() {
    std::vector<std::string> items;
    int64_t room = std::min(kWorkItems, target_.max_work_group_size);
    const size_t most = std::min<size_t>(3, std::max<size_t>(1, outer_.size() - 1));
    while (items.size() < most) {
      const std::string name = outer_.back();
      const int64_t extent = extent_of(name);
      const int64_t part =
          largest_divisor(extent, std::min(room, max_work_items(target_, items.size())));
      if (part == 1) break;
      outer_.pop_back();
      room /= part;
      if (part == extent) {
        items.insert(items.begin(), name);
        continue;
      }
      then(loop::Split{name, part});
      outer_.push_back(name + ".0");
      items.insert(items.begin(), name + ".1");
      break;
    }
    return items;
  }

  Stage stage_;
  const Target& target_;
  std::string lane_;
  std::vector<std::string> outer_, single_, written_out_;
};

// Keeps a sum that its storage would round in a register, inside the loops over the output.
Stage with_wide_sum(const Stage& stage, const std::vector<ScheduledTensor>& tensors) {
  const std::string& output = stage.computation.output.tensor;
  const auto reduces = std::ranges::find_if(stage.loops, &StageLoop::reduction);
  if (reduces == stage.loops.end() || keeps_sums(stage, tensor_named(tensors, output).type))
    return stage;
  const std::string at = reduces == stage.loops.begin() ? "root" : std::prev(reduces)->name;
  return with_legal_loops(stage, {loop::CacheWrite{output, at}});
}

// Gives transforms and copies default loops, vectorized where that can be lowered: along one axis,
// or transposing two. Other stages keep the loops of their output's layout. Fails for a transform
// whose output is not laid out in tiles.
Result<Stage> looped_as_kernel(const Stage& stage, const std::vector<ScheduledTensor>& tensors,
                               const Target& target) {
  const bool transforms = stage.role == StageRole::transform;
  if (!transforms && stage.role != StageRole::copy) return with_wide_sum(stage, tensors);
  if (stage.loops.empty()) return stage;  // a scalar
  const auto looped = [&](bool vectorized) {
    if (!transforms) {
      const Stage fused = looped_copy(stage, target, vectorized, /*fused=*/true);
      // A fused loop may hide digits of an axis that the other layout cuts elsewhere.
      const bool is_lost = runs_work_groups(target) && !check_nest(fused, tensors);
      return is_lost ? looped_copy(stage, target, vectorized, /*fused=*/false) : fused;
    }
    return TransformLoops(stage, target).make(vectorized, /*shared=*/true);
  };
  Stage vectors = looped(/*vectorized=*/true);
  if (check_nest(vectors, tensors)) return vectors;
  if (runs_threads(target)) {
    if (auto list = transposed_copy_loops(stage, tensors, target)) {
      Stage transposed = with_legal_loops(stage, std::move(*list));
      if (check_nest(transposed, tensors)) return transposed;
    }
  }
  Stage scalar = looped(/*vectorized=*/false);
  if (transforms) TRY(check_nest(scalar, tensors));
  return scalar;
}

int64_t product(const std::vector<int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

// Vectorizes the innermost loop by this width, if that divides it.
Stage with_lanes(const Stage& stage, int64_t width) {
  if (stage.loops.empty()) return stage;  // a scalar
  const StageLoop& inner = stage.loops.back();
  const bool fits = !inner.reduction && inner.gathers < 0 && inner.extent % width == 0;
  return vectorized_innermost(stage, fits ? width : 1);
}

// Work-items of the group. Stages around the part, one inside the other, may share a thread axis,
// which counts once.
int64_t work_items_around(const Stage& stage) {
  std::map<ThreadAxis, int64_t> extents;
  for (const StageLoop& loop : stage.attachment->around)
    if (is_over_work_items(loop)) extents[loop.thread] = loop.extent;
  return product({std::views::values(extents).begin(), std::views::values(extents).end()});
}

// One loop over all vectors of the part, which the work-items share, and one over lanes.
Stage shared_evenly(const Stage& stage, const Layout& layout, int64_t lanes) {
  const std::vector<int64_t>& extents = stage.attachment->extents;
  const int64_t items = work_items_around(stage);
  const int64_t units = product(extents) / lanes;
  const int64_t shared = (units + items - 1) / items * items;
  // Each row, a partial last one included, is padded.
  const int64_t pad = stage.attachment->row_pad, row = extents.empty() ? 1 : extents.back();
  Stage result = stage;
  result.attachment->flat_elements = shared * lanes + (shared * lanes + row - 1) / row * pad;
  result.loops = {{.name = kSharedLoop, .extent = shared}};
  if (lanes > 1)
    result.loops.push_back({.name = "lane", .extent = lanes, .kind = LoopKind::vectorized});
  const Ranges ranges = loop_ranges(result);
  const IndexExpr unit = IndexExpr::variable(kSharedLoop),
                  lane = lanes > 1 ? IndexExpr::variable("lane") : IndexExpr(0);
  std::vector<IndexExpr> physical(extents.size());
  int64_t below = 1;
  for (size_t axis = extents.size(); axis-- > 0;) {
    const bool innermost = axis + 1 == extents.size();
    const int64_t extent = innermost ? extents[axis] / lanes : extents[axis];
    const IndexExpr digit = floor_mod(floor_div(unit, below, ranges), extent, ranges);
    physical[axis] = stage.attachment->starts[axis] + (innermost ? digit * lanes + lane : digit);
    below *= extent;
  }
  set_output_axes(physical, layout, result);
  result.output_indices = {unit * lanes + lane + floor_div(unit, row / lanes, ranges) * pad};
  return result;
}

// A transform gets the loops of a separate kernel, but none of them parallel.
Stage transformed_by_default(const Stage& stage, const Schedule& schedule, const Target& target) {
  Stage vectors = TransformLoops(stage, target).make(/*vectorized=*/true, /*shared=*/false);
  if (check_nest(vectors, schedule.tensors)) return vectors;
  return TransformLoops(stage, target).make(/*vectorized=*/false, /*shared=*/false);
}

Stage looped_inside(const Stage& stage, const Schedule& schedule, const Target& target) {
  if (stage.role == StageRole::transform) return transformed_by_default(stage, schedule, target);
  const bool is_local = stage.attachment->scope == TileScope::local;
  const bool sums = std::ranges::any_of(stage.loops, &StageLoop::reduction);
  const Layout& layout = tensor_named(schedule.tensors, stage.computation.output.tensor).layout;
  const int64_t last = stage.attachment->extents.empty() ? 1 : stage.attachment->extents.back();
  const ElementType stored = tensor_named(stage.computation, stage.computation.output.tensor).type;
  // Local tiles keep halves as halves, so that a vector of the device has twice as many.
  const int64_t widest =
      is_local && is_half(stored) ? vector_lanes(target, stored) : vector_lanes(target);
  for (const int64_t width : {widest, int64_t{vector_lanes(target)}, int64_t{4}, int64_t{1}}) {
    // Row padding that is no multiple of the width would misalign vectors and split them.
    if (last % width != 0 || stage.attachment->row_pad % width != 0) continue;
    const Stage result =
        is_local && !sums ? shared_evenly(stage, layout, width) : with_lanes(stage, width);
    if (width == 1 || check_nest(result, schedule.tensors)) return result;
  }
  CHECK(false, "unreachable");
}

}  // namespace

Result<Stage> looped_by_default(const Stage& stage, const Schedule& schedule,
                                const Target& target) {
  if (stage.attachment) return looped_inside(stage, schedule, target);
  return looped_as_kernel(stage, schedule.tensors, target);
}

}  // namespace dovetail
