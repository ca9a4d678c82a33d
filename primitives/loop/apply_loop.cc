// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/apply_loop.h"

#include <algorithm>
#include <type_traits>

#include "core/base/fail.h"
#include "primitives/loop/annotations.h"
#include "primitives/loop/attach.h"
#include "primitives/loop/caching.h"
#include "primitives/loop/default_loops.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/loop/nesting.h"
#include "primitives/loop/stages.h"
#include "primitives/lowering/stage_passes.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

// A data-dependent loop must stay as it is: its one iteration can be neither split nor parallel.
Result<void> check_chosen_loops(const LoopPrimitive& primitive, const Stage& stage) {
  for (size_t k = 0; k < stage.computation.gathers.size(); ++k) {
    const GatherIndex& index = stage.computation.gathers[k];
    const auto loop = std::ranges::find(stage.loops, static_cast<int>(k), &StageLoop::gathers);
    const bool whole = loop != stage.loops.end() && loop->kind == LoopKind::serial &&
                       loop->extent == index.extent && loop->name == index.name;
    if (!whole)
      return refuse(print(primitive),
                    "data choose the iteration of loop {}, expected it whole and serial",
                    index.name);
  }
  return {};
}

// Other work-items read a local tile; they would read partial sums that accumulate in it.
Result<void> check_local_sum(const Stage& stage) {
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

// Fails where an attached stage, its line done, has loops that it must not have.
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

}  // namespace

Unexpected in_line(const StageLoops& lines, const std::string& message) {
  return fail("loops{}: {}", lines.stage.empty() ? "" : " " + lines.stage, message);
}

Result<Stage> apply(const LoopPrimitive& primitive, const Stage& stage) {
  return std::visit(
      [&]<typename Primitive>(const Primitive& p) -> Result<Stage> {
        if constexpr (std::is_same_v<Primitive, loop::ComputeAt>) {
          return fail(print(primitive) + ": it makes the loops, expected it first in its line");
        } else if constexpr (std::is_same_v<Primitive, loop::Inline>) {
          return fail(print(primitive) + ": expected it alone in its line");
        } else if constexpr (std::is_same_v<Primitive, loop::RFactor>) {
          return refuse(
              print(primitive),
              "stage {} is split in two already, or is a part; expected rfactor once in its line",
              stage.name);
        } else {
          Stage result = TRY(dovetail::apply(p, stage));
          TRY(check_chosen_loops(primitive, result));
          return result;
        }
      },
      primitive);
}

Result<Stage> apply_all(const StageLoops& lines, const Stage& initial) {
  Stage stage = initial;
  for (const LoopPrimitive& primitive : lines.primitives) {
    Result<Stage> next = dovetail::apply(primitive, stage);
    if (!next) return in_line(lines, next.error().message);
    stage = std::move(*next);
  }
  return stage;
}

// Applies and removes a roll at the start of a line. The remaining primitives apply to the loops
// that it leaves; without any, these become the default ones.
static Result<StageLoops> roll_first(StageLoops lines, Stage& stage) {
  if (lines.primitives.empty() || !std::holds_alternative<loop::Roll>(lines.primitives[0]))
    return lines;
  stage = TRY(apply_all({lines.stage, {lines.primitives[0]}}, stage));
  lines.primitives.erase(lines.primitives.begin());
  return lines;
}

Result<Schedule> apply_line(const StageLoops& lines, const Schedule& schedule, size_t index,
                            const Target& target) {
  Schedule result = schedule;
  const std::string name = schedule.stages[index].name;
  StageLoops rest = lines;
  if (!lines.primitives.empty()) {
    if (const auto* compute_at = std::get_if<loop::ComputeAt>(&lines.primitives[0])) {
      Result<Schedule> moved = dovetail::apply(*compute_at, schedule, name, target);
      if (!moved) return in_line(lines, moved.error().message);
      result = std::move(*moved);
      rest.primitives.erase(rest.primitives.begin());
    }
  }
  Stage& stage = result.stages[index];
  rest = TRY(roll_first(rest, stage));
  if (!rest.primitives.empty())
    stage = TRY(apply_all(rest, stage));
  else
    stage = TRY(looped_by_default(stage, result, target));
  if (stage.attachment) TRY(check_attached_loops(stage));
  if (stage.cached_reads.empty()) return result;
  Result<Schedule> cached = with_cache_stages(result, index, target);
  if (!cached) return in_line(lines, cached.error().message);
  return cached;
}

Result<Schedule> inline_stages(const Trace& trace, const Schedule& schedule) {
  Schedule result = schedule;
  for (const StageLoops& lines : trace.loops) {
    const auto is_inline = [](const LoopPrimitive& primitive) {
      return std::holds_alternative<loop::Inline>(primitive);
    };
    if (std::ranges::none_of(lines.primitives, is_inline)) continue;
    const std::string name = lines.stage.empty() ? schedule.anchor : lines.stage;
    if (find_stage(result.stages, name) == nullptr)
      return refuse("loops " + lines.stage, "no such stage");
    if (lines.primitives.size() > 1)
      return in_line(lines, "inline(): expected it alone in its line");
    Result<Schedule> next =
        dovetail::apply(std::get<loop::Inline>(lines.primitives[0]), result, name);
    if (!next) return in_line(lines, next.error().message);
    result = std::move(*next);
  }
  return result;
}

}  // namespace dovetail
