// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/attached_loops.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/base/check.h"
#include "primitives/algorithm/transform_loops.h"
#include "primitives/loop/apply_loop.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/loop/output_loops.h"
#include "primitives/lowering/build_nest.h"
#include "primitives/lowering/stage_passes.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

int64_t product(const std::vector<int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

// The innermost axis in vectors of this width, if they divide it.
Stage with_lanes(const Stage& stage, int64_t width) {
  const StageLoop& inner = stage.loops.back();
  return vectorized_innermost(stage, inner.reduction || inner.extent % width != 0 ? 1 : width);
}

// All elements of the part in one loop, which the work-items share, and one over lanes.
Stage shared_evenly(const Stage& stage, const Layout& layout, int64_t lanes) {
  const std::vector<int64_t>& extents = stage.attachment->extents;
  int64_t items = 1;
  for (const StageLoop& loop : stage.attachment->around)
    items *= is_over_work_items(loop) ? loop.extent : 1;
  const int64_t units = product(extents) / lanes;
  const int64_t shared = (units + items - 1) / items * items;
  Stage result = stage;
  result.attachment->flat_elements = shared * lanes;
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
  result.output_indices = {unit * lanes + lane};
  return result;
}

}  // namespace

// A transform gets the loops that it has as a kernel of its own, but shares none of them.
static Stage transformed_by_default(const Stage& stage, const Schedule& schedule,
                                    const Target& target) {
  for (const bool vectorized : {true, false}) {
    std::vector<LoopPrimitive> lines = default_transform_loops(stage, target, vectorized);
    std::erase_if(lines, [](const LoopPrimitive& primitive) {
      return std::holds_alternative<loop::Parallel>(primitive) ||
             std::holds_alternative<loop::Bind>(primitive);
    });
    Stage result = with_legal_loops(stage, std::move(lines));
    if (!vectorized || check_nest(result, schedule.tensors)) return result;
  }
  CHECK(false, "unreachable");
}

Stage attached_by_default(const Stage& stage, const Schedule& schedule, const Target& target) {
  if (stage.role == StageRole::transform) return transformed_by_default(stage, schedule, target);
  const bool is_local = stage.attachment->scope == TileScope::local;
  const bool sums = std::ranges::any_of(stage.loops, &StageLoop::reduction);
  const Layout& layout = tensor_named(schedule.tensors, stage.computation.output.tensor).layout;
  const int64_t last = stage.attachment->extents.empty() ? 1 : stage.attachment->extents.back();
  for (const int64_t width : {int64_t{target.vector_lanes}, int64_t{4}, int64_t{1}}) {
    if (last % width != 0) continue;
    const Stage result =
        is_local && !sums ? shared_evenly(stage, layout, width) : with_lanes(stage, width);
    if (width == 1 || check_nest(result, schedule.tensors)) return result;
  }
  CHECK(false, "unreachable");
}

// Other work-items read a local tile; they would read a sum that grows there, too.
static Result<void> check_local_sum(const Stage& stage) {
  const size_t at = stage.cache_write_at ? tile_position(stage) : stage.loops.size();
  for (size_t l = 0; l < stage.loops.size(); ++l) {
    const StageLoop& loop = stage.loops[l];
    if (!loop.reduction || loop.extent == 1 || l >= at) continue;
    return refuse("loops " + stage.name,
                  "the sum over {} grows in a local tile, expected cache_write outside of all its "
                  "reduction loops",
                  loop.name);
  }
  return {};
}

Result<void> check_attached_loops(const Stage& stage) {
  const Attachment& a = *stage.attachment;
  const std::string what = "loops " + stage.name;
  if (a.scope == TileScope::local) TRY(check_local_sum(stage));
  for (const StageLoop& loop : stage.loops) {
    if (loop.kind == LoopKind::parallel)
      return refuse(what, "loop {} is parallel, but stage {} runs inside loop {} of {}", loop.name,
                    stage.name, a.loop, a.stage);
    if (loop.kind != LoopKind::bound) continue;
    const auto around = std::ranges::find_if(a.around, [&](const StageLoop& l) {
      return l.kind == LoopKind::bound && l.thread == loop.thread && is_over_work_items(l);
    });
    if (a.scope != TileScope::local || around == a.around.end())
      return refuse(what, "loop {} is bound to {}, which does not share this tile", loop.name,
                    print(loop.thread));
    if (around->extent != loop.extent)
      return refuse(what, "loop {} of {} iterations is bound to {}, which has {}", loop.name,
                    loop.extent, print(loop.thread), around->extent);
  }
  if (a.scope != TileScope::local || a.flat_elements > 0) return {};
  for (const StageLoop& around : a.around) {
    if (!is_over_work_items(around) || around.extent == 1) continue;
    const bool bound = std::ranges::any_of(stage.loops, [&](const StageLoop& loop) {
      return loop.kind == LoopKind::bound && loop.thread == around.thread;
    });
    if (!bound)
      return refuse(what, "no loop is bound to {}, whose {} work-items would all copy the same",
                    print(around.thread), around.extent);
  }
  return {};
}

}  // namespace dovetail
