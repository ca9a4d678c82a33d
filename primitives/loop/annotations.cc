// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/annotations.h"

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Stage> apply(const loop::Parallel& parallel, const Stage& stage) {
  const size_t index = TRY(
      require_output_loop(print(LoopPrimitive(parallel)), parallel.loop, "run in parallel", stage));
  Stage result = stage;
  result.loops[index].kind = LoopKind::parallel;
  return result;
}

Result<Stage> apply(const loop::Vectorize& vectorize, const Stage& stage) {
  constexpr int64_t kMaxLanes = 64;
  const std::string what = print(LoopPrimitive(vectorize));
  const size_t index = TRY(require_output_loop(what, vectorize.loop, "vectorize", stage));
  if (stage.loops[index].extent > kMaxLanes) {
    return refuse(what, "loop {} has extent {}, expected at most {}; split first", vectorize.loop,
                  stage.loops[index].extent, kMaxLanes);
  }
  for (const StageLoop& loop : stage.loops) {
    if (loop.kind == LoopKind::vectorized)
      return refuse(what, "loop {} is already vectorized", loop.name);
  }
  Stage result = stage;
  result.loops[index].kind = LoopKind::vectorized;
  return result;
}

Result<Stage> apply(const loop::Unroll& unroll, const Stage& stage) {
  constexpr int64_t kMaxIterations = 1024;
  const std::string what = print(LoopPrimitive(unroll));
  const size_t index = TRY(require_plain_loop(what, unroll.loop, stage));
  if (stage.loops[index].extent > kMaxIterations) {
    return refuse(what, "loop {} has extent {}, expected at most {}; split first", unroll.loop,
                  stage.loops[index].extent, kMaxIterations);
  }
  Stage result = stage;
  result.loops[index].kind = LoopKind::unrolled;
  return result;
}

Result<Stage> apply(const loop::Bind& bind, const Stage& stage) {
  const std::string what = print(LoopPrimitive(bind));
  const size_t index = TRY(require_output_loop(what, bind.loop, "bind", stage));
  for (const StageLoop& loop : stage.loops) {
    if (loop.kind == LoopKind::bound && loop.thread == bind.axis) {
      return refuse(what, "loop {} is already bound to this axis", loop.name);
    }
  }
  Stage result = stage;
  result.loops[index].kind = LoopKind::bound;
  result.loops[index].thread = bind.axis;
  return result;
}

}  // namespace dovetail
