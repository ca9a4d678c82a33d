// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/unroll.h"

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

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

}  // namespace dovetail
