// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/vectorize.h"

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

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

}  // namespace dovetail
