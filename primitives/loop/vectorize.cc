// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/vectorize.h"

#include <fmt/format.h>

#include "primitives/loop/loop_lookup.h"

namespace dovetail {

Result<Stage> apply(const loop::Vectorize& vectorize, const Stage& stage) {
  constexpr int64_t kMaxLanes = 64;
  const std::string what = print(LoopPrimitive(vectorize));
  const size_t index = TRY(require_output_loop(what, vectorize.loop, "vectorize", stage));
  if (stage.loops[index].extent > kMaxLanes) {
    return fail(fmt::format("{}: loop {} has extent {}, expected at most {}; split first", what,
                            vectorize.loop, stage.loops[index].extent, kMaxLanes));
  }
  for (const StageLoop& loop : stage.loops) {
    if (loop.kind == LoopKind::vectorized)
      return fail(fmt::format("{}: loop {} is already vectorized", what, loop.name));
  }
  Stage result = stage;
  result.loops[index].kind = LoopKind::vectorized;
  return result;
}

}  // namespace dovetail
