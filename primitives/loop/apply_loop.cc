// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/apply_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <type_traits>

#include "core/base/check.h"
#include "primitives/algorithm/transform_loops.h"
#include "primitives/divisors.h"
#include "primitives/loop/annotations.h"
#include "primitives/loop/attach.h"
#include "primitives/loop/attached_loops.h"
#include "primitives/loop/caching.h"
#include "primitives/loop/inline.h"
#include "primitives/loop/loop_lookup.h"
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

// The innermost of the first `count` loops over work-items, all that is outside it over groups.
// Only whole loops are fused, so that every index stays a plain digit of the fused loop.
Stage bound_copy(Stage stage, size_t count, const Target& target) {
  constexpr int64_t kThreads = 64;
  const StageLoop inner = stage.loops[count - 1];
  const int64_t threads =
      largest_divisor(inner.extent, std::min(kThreads, max_work_items(target, 0)));
  std::string items = inner.name;
  if (threads < inner.extent && threads > 1) {
    stage = with_legal_loops(stage, {loop::Split{inner.name, threads}});
    items = inner.name + ".1";
    ++count;
  }
  const size_t groups = threads > 1 ? count - 1 : count;
  for (size_t l = 1; l < groups; ++l)
    stage = with_legal_loops(stage, {loop::Fuse{stage.loops[0].name, stage.loops[1].name}});
  std::vector<LoopPrimitive> binds;
  if (groups > 0) binds.emplace_back(loop::Bind{stage.loops[0].name, ThreadAxis::group_0});
  if (threads > 1) binds.emplace_back(loop::Bind{items, ThreadAxis::thread_0});
  return with_legal_loops(stage, std::move(binds));
}

// A copy's loops: the innermost axis in vectors (where neighbours are neighbours on both sides),
// the outermost in parallel (CPU) or everything else over work-groups (OpenCL).
Stage looped_copy(const Stage& initial, const Target& target, bool vectorized) {
  const int64_t extent = initial.loops.back().extent;
  const int64_t width = vectorized ? default_vector_width(extent, target.vector_lanes) : 1;
  const Stage stage = vectorized_innermost(initial, width);
  const auto others = std::span(stage.loops).first(stage.loops.size() - (width > 1 ? 1 : 0));
  if (target.name.kind == TargetKind::opencl)
    return others.empty() ? stage : bound_copy(stage, others.size(), target);
  const auto shared =
      std::ranges::find_if(others, [](const StageLoop& loop) { return loop.extent > 1; });
  if (shared == others.end()) return stage;
  return with_legal_loops(stage, {loop::Parallel{shared->name}});
}

// Transforms and copies have default loops, in vectors where that can be lowered: along one axis,
// or between two. Others keep the loops that their output's layout gives. A transform whose output
// is not laid out in tiles may have none.
Result<Stage> looped_by_default(const Stage& stage, const std::vector<ScheduledTensor>& tensors,
                                const Target& target) {
  const bool transforms = stage.role == StageRole::transform;
  if (!transforms && stage.role != StageRole::copy) return stage;
  const auto looped = [&](bool vectorized) {
    if (!transforms) return looped_copy(stage, target, vectorized);
    return with_legal_loops(stage, default_transform_loops(stage, target, vectorized));
  };
  Stage vectors = looped(/*vectorized=*/true);
  if (check_nest(vectors, tensors)) return vectors;
  if (target.name.kind == TargetKind::cpu) {
    if (auto list = transposed_copy_loops(stage, tensors, target)) {
      Stage transposed = with_legal_loops(stage, std::move(*list));
      if (check_nest(transposed, tensors)) return transposed;
    }
  }
  Stage scalar = looped(/*vectorized=*/false);
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

Stage with_legal_loops(const Stage& stage, std::vector<LoopPrimitive> loops) {
  Result<Stage> result = apply_all({stage.name, std::move(loops)}, stage);
  CHECK(result.has_value(), "default loops are legal: " + (result ? "" : result.error().message));
  return std::move(*result);
}

Stage vectorized_innermost(const Stage& stage, int64_t width) {
  const StageLoop& inner = stage.loops.back();
  if (width == 1) return stage;
  if (width == inner.extent) return with_legal_loops(stage, {loop::Vectorize{inner.name}});
  return with_legal_loops(stage,
                          {loop::Split{inner.name, width}, loop::Vectorize{inner.name + ".1"}});
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

int64_t default_vector_width(int64_t extent, int64_t lanes) {
  return extent % lanes == 0 ? lanes : largest_divisor(extent, 2 * lanes);
}

}  // namespace dovetail
