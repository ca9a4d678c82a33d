// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/annotations.h"

#include "core/base/text.h"
#include "core/ir/intrinsic/intrinsic.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

Stage annotated(const Stage& stage, size_t index, LoopKind kind) {
  Stage result = stage;
  result.loops[index].kind = kind;
  return result;
}

Result<void> check_extent(const std::string& what, const StageLoop& loop, int64_t most) {
  if (loop.extent <= most) return {};
  return refuse(what, "loop {} has extent {}, expected at most {}; split first", loop.name,
                loop.extent, most);
}

}  // namespace

Result<Stage> apply(const loop::Parallel& parallel, const Stage& stage) {
  const size_t index = TRY(
      require_output_loop(print(LoopPrimitive(parallel)), parallel.loop, "run in parallel", stage));
  return annotated(stage, index, LoopKind::parallel);
}

Result<Stage> apply(const loop::Vectorize& vectorize, const Stage& stage) {
  constexpr int64_t kMaxLanes = 64;
  const std::string what = print(LoopPrimitive(vectorize));
  const size_t index = TRY(require_plain_loop(what, vectorize.loop, stage));
  TRY(check_extent(what, stage.loops[index], kMaxLanes));
  for (const StageLoop& loop : stage.loops)
    if (loop.kind == LoopKind::vectorized)
      return refuse(what, "loop {} is already vectorized", loop.name);
  return annotated(stage, index, LoopKind::vectorized);
}

Result<Stage> apply(const loop::Unroll& unroll, const Stage& stage) {
  constexpr int64_t kMaxIterations = 1024;
  const std::string what = print(LoopPrimitive(unroll));
  const size_t index = TRY(require_plain_loop(what, unroll.loop, stage));
  TRY(check_extent(what, stage.loops[index], kMaxIterations));
  return annotated(stage, index, LoopKind::unrolled);
}

Result<Stage> apply(const loop::Bind& bind, const Stage& stage) {
  const std::string what = print(LoopPrimitive(bind));
  const size_t index = TRY(require_output_loop(what, bind.loop, "bind", stage));
  for (const StageLoop& loop : stage.loops)
    if (loop.kind == LoopKind::bound && loop.thread == bind.axis)
      return refuse(what, "loop {} is already bound to this axis", loop.name);
  Stage result = annotated(stage, index, LoopKind::bound);
  result.loops[index].thread = bind.axis;
  return result;
}

Result<Stage> apply(const loop::Tensorize& tensorize, const Stage& stage) {
  const std::string what = print(LoopPrimitive(tensorize));
  const Intrinsic* intrinsic = find_intrinsic(tensorize.intrinsic);
  if (intrinsic == nullptr)
    return refuse(what, "no intrinsic {}, expected one of: {}", tensorize.intrinsic,
                  one_of(intrinsic_names()));
  const size_t first = TRY(require_plain_loop(what, tensorize.loop, stage));
  const std::vector<Axis> axes = loop_order(*intrinsic);
  if (stage.loops.size() - first != axes.size())
    return refuse(what, "{} loops from {} on, expected the {} of {}", stage.loops.size() - first,
                  tensorize.loop, axes.size(), print(*intrinsic));
  Stage result = stage;
  for (size_t l = first; l < stage.loops.size(); ++l) {
    const Axis& axis = axes[l - first];
    TRY(require_plain_loop(what, stage.loops[l].name, stage));
    const StageLoop& loop = stage.loops[l];
    if (loop.extent != axis.extent || loop.reduction != axis.reduction)
      return refuse(what, "loop {} of {} iterations{}, expected {} as {} of {}", loop.name,
                    loop.extent, loop.reduction ? " of a reduction" : "", axis.extent, axis.name,
                    print(*intrinsic));
    const bool is_last = l + 1 == stage.loops.size();
    result.loops[l].kind = is_last && !axis.reduction ? LoopKind::vectorized : LoopKind::unrolled;
  }
  result.loops[first].intrinsic = intrinsic->name;
  return result;
}

}  // namespace dovetail
