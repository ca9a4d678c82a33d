// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/apply_loop.h"

#include <fmt/format.h>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/layout/axis_lookup.h"
#include "primitives/loop/bind.h"
#include "primitives/loop/cache_write.h"
#include "primitives/loop/fuse.h"
#include "primitives/loop/parallel.h"
#include "primitives/loop/prefetch.h"
#include "primitives/loop/reorder.h"
#include "primitives/loop/split.h"
#include "primitives/loop/unroll.h"
#include "primitives/loop/vectorize.h"

namespace dovetail {

Result<Stage> apply(const LoopPrimitive& primitive, const Stage& stage) {
  return std::visit([&](const auto& p) { return dovetail::apply(p, stage); }, primitive);
}

Result<Stage> apply_all(const StageLoops& lines, const Stage& initial) {
  Stage stage = initial;
  for (const LoopPrimitive& primitive : lines.primitives) {
    Result<Stage> next = dovetail::apply(primitive, stage);
    if (!next) {
      return fail(fmt::format("loops{}: {}", lines.stage.empty() ? "" : " " + lines.stage,
                              next.error().message));
    }
    stage = std::move(*next);
  }
  return stage;
}

namespace {

// Largest divisor of n that is at most `limit`.
int64_t largest_divisor(int64_t n, int64_t limit) {
  int64_t best = 1;
  for (int64_t d : divisors(n)) {
    if (d <= limit) best = d;
  }
  return best;
}

// Appends the primitive and gives the stage after it.
Stage then(std::vector<LoopPrimitive>& list, LoopPrimitive primitive, const Stage& stage) {
  Result<Stage> next = dovetail::apply(primitive, stage);
  CHECK(next.has_value(), "default copy loops are legal: " + (next ? "" : next.error().message));
  list.push_back(std::move(primitive));
  return std::move(*next);
}

Stage vectorize_innermost(std::vector<LoopPrimitive>& list, Stage stage, int64_t lanes) {
  const StageLoop inner = stage.loops.back();
  const int64_t width =
      inner.extent % lanes == 0 ? lanes : largest_divisor(inner.extent, 2 * lanes);
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
      largest_divisor(inner.extent, std::min(kThreads, target.max_work_group_size));
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
