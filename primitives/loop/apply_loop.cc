// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/apply_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "core/base/check.h"
#include "primitives/algorithm/transform_loops.h"
#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/loop/annotations.h"
#include "primitives/loop/attached_loops.h"
#include "primitives/loop/caching.h"
#include "primitives/loop/compute_at.h"
#include "primitives/loop/inline.h"
#include "primitives/loop/nesting.h"
#include "primitives/loop/rfactor.h"
#include "primitives/loop/roll.h"
#include "primitives/loop/transposed_copy.h"
#include "primitives/lowering/build_nest.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

Unexpected in_line(const StageLoops& lines, const std::string& message) {
  return fail(fmt::format("loops{}: {}", lines.stage.empty() ? "" : " " + lines.stage, message));
}

// Transforms and copies have default loops, in vectors where that can be lowered: along one axis,
// or between two. Others keep the loops that their output's layout gives. A transform whose output
// is not laid out in tiles may have none.
Result<Stage> looped_by_default(const Stage& stage, const std::vector<ScheduledTensor>& tensors,
                                const Target& target) {
  const bool transforms = stage.role == StageRole::transform;
  if (!transforms && stage.role != StageRole::copy) return stage;
  const auto make = transforms ? default_transform_loops : default_copy_loops;
  const auto looped = [&](std::vector<LoopPrimitive> list) {
    Result<Stage> result = apply_all({stage.name, std::move(list)}, stage);
    CHECK(result.has_value(), "default loops are legal");
    return std::move(*result);
  };
  Stage vectors = looped(make(stage, target, /*vectorized=*/true));
  if (check_nest(vectors, tensors)) return vectors;
  if (target.name.kind == TargetKind::cpu) {
    if (auto list = transposed_copy_loops(stage, tensors, target)) {
      Stage transposed = looped(std::move(*list));
      if (check_nest(transposed, tensors)) return transposed;
    }
  }
  Stage scalar = looped(make(stage, target, /*vectorized=*/false));
  if (transforms) TRY(check_nest(scalar, tensors));
  return scalar;
}

}  // namespace

// A loop that data choose stays as it is: its one iteration can be neither cut nor shared.
static Result<void> check_chosen_loops(const LoopPrimitive& primitive, const Stage& stage) {
  for (size_t k = 0; k < stage.computation.chosen.size(); ++k) {
    const ChosenIndex& index = stage.computation.chosen[k];
    const auto loop = std::ranges::find(stage.loops, static_cast<int>(k), &StageLoop::chosen);
    const bool whole = loop != stage.loops.end() && loop->kind == LoopKind::serial &&
                       loop->extent == index.extent && loop->name == index.name;
    if (!whole)
      return refuse(print(primitive),
                    "data choose the iteration of loop {}, expected it whole and serial",
                    index.name);
  }
  return {};
}

Result<Stage> apply(const LoopPrimitive& primitive, const Stage& stage) {
  return std::visit(
      [&]<typename Primitive>(const Primitive& p) -> Result<Stage> {
        if constexpr (std::is_same_v<Primitive, loop::ComputeAt>) {
          return fail(print(primitive) + ": it makes the loops, expected it first in its line");
        } else if constexpr (std::is_same_v<Primitive, loop::Inline>) {
          return fail(print(primitive) + ": expected it alone in its line");
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

// A line may begin with a roll: the rest works on the loops that it leaves, and without a rest
// these become the default ones.
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
  if (!rest.primitives.empty()) {
    stage = TRY(apply_all(rest, stage));
  } else {
    stage = stage.attachment ? attached_by_default(stage, result, target)
                             : TRY(looped_by_default(stage, result.tensors, target));
  }
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
    if (std::ranges::find(result.stages, name, &Stage::name) == result.stages.end())
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

namespace {

// Appends the primitive and gives the stage after it.
Stage then(std::vector<LoopPrimitive>& list, LoopPrimitive primitive, const Stage& stage) {
  Result<Stage> next = dovetail::apply(primitive, stage);
  CHECK(next.has_value(), "default copy loops are legal: " + (next ? "" : next.error().message));
  list.push_back(std::move(primitive));
  return std::move(*next);
}

Stage vectorize_innermost(std::vector<LoopPrimitive>& list, Stage stage, int64_t lanes) {
  const StageLoop inner = stage.loops.back();
  const int64_t width = default_vector_width(inner.extent, lanes);
  if (width == 1) return stage;
  std::string name = inner.name;
  if (width < inner.extent) {
    stage = then(list, loop::Split{name, width}, stage);
    name += ".1";
  }
  return then(list, loop::Vectorize{name}, stage);
}

// The innermost of the first `count` loops over work-items, all that is outside it over groups.
// Only whole loops are fused, so that every index stays a plain digit of the fused loop.
void bind_copy(std::vector<LoopPrimitive>& list, Stage stage, size_t count, const Target& target) {
  constexpr int64_t kThreads = 64;
  const StageLoop inner = stage.loops[count - 1];
  const int64_t threads =
      largest_divisor(inner.extent, std::min(kThreads, max_work_items(target, 0)));
  std::string items = inner.name;
  if (threads < inner.extent && threads > 1) {
    stage = then(list, loop::Split{inner.name, threads}, stage);
    items = inner.name + ".1";
    ++count;
  }
  const size_t groups = threads > 1 ? count - 1 : count;
  for (size_t l = 1; l < groups; ++l) {
    stage = then(list, loop::Fuse{stage.loops[0].name, stage.loops[1].name}, stage);
  }
  if (groups > 0) stage = then(list, loop::Bind{stage.loops[0].name, ThreadAxis::group_0}, stage);
  if (threads > 1) then(list, loop::Bind{items, ThreadAxis::thread_0}, stage);
}

}  // namespace

int64_t default_vector_width(int64_t extent, int64_t lanes) {
  return extent % lanes == 0 ? lanes : largest_divisor(extent, 2 * lanes);
}

std::vector<LoopPrimitive> default_copy_loops(const Stage& initial, const Target& target,
                                              bool vectorized) {
  std::vector<LoopPrimitive> list;
  Stage stage = vectorized ? vectorize_innermost(list, initial, target.vector_lanes) : initial;
  vectorized = stage.loops.back().kind == LoopKind::vectorized;
  const size_t others = stage.loops.size() - (vectorized ? 1 : 0);
  if (target.name.kind == TargetKind::cpu) {
    for (size_t l = 0; l < others; ++l) {
      if (stage.loops[l].extent == 1) continue;
      then(list, loop::Parallel{stage.loops[l].name}, stage);
      break;
    }
    return list;
  }
  if (others > 0) bind_copy(list, std::move(stage), others, target);
  return list;
}

}  // namespace dovetail
