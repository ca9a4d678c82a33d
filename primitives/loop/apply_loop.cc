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

}  // namespace

std::vector<LoopPrimitive> default_copy_loops(const Stage& initial, const Target& target) {
  std::vector<LoopPrimitive> list;
  Stage stage = vectorize_innermost(list, initial, target.vector_lanes);
  const bool vectorized = stage.loops.back().kind == LoopKind::vectorized;
  const size_t others = stage.loops.size() - (vectorized ? 1 : 0);
  if (target.name.kind == TargetKind::cpu) {
    for (size_t l = 0; l < others; ++l) {
      if (stage.loops[l].extent == 1) continue;
      then(list, loop::Parallel{stage.loops[l].name}, stage);
      break;
    }
    return list;
  }
  for (size_t l = 1; l < others; ++l)
    stage = then(list, loop::Fuse{stage.loops[0].name, stage.loops[1].name}, stage);
  if (others == 0) return list;
  constexpr int64_t kThreads = 64;
  const std::string all = stage.loops[0].name;
  const int64_t threads =
      largest_divisor(stage.loops[0].extent, std::min(kThreads, target.max_work_group_size));
  if (threads == 1 || threads == stage.loops[0].extent) {
    then(list, loop::Bind{all, threads == 1 ? ThreadAxis::group_0 : ThreadAxis::thread_0}, stage);
    return list;
  }
  stage = then(list, loop::Split{all, threads}, stage);
  stage = then(list, loop::Bind{all + ".0", ThreadAxis::group_0}, stage);
  then(list, loop::Bind{all + ".1", ThreadAxis::thread_0}, stage);
  return list;
}

}  // namespace dovetail
