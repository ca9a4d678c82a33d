// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/unroll.h"

#include <fmt/format.h>

#include "primitives/loop/loop_lookup.h"

namespace dovetail {

Result<Stage> apply(const loop::Unroll& unroll, const Stage& stage) {
  constexpr int64_t kMaxIterations = 1024;
  const std::string what = print(LoopPrimitive(unroll));
  const size_t index = TRY(require_plain_loop(what, unroll.loop, stage));
  if (stage.loops[index].extent > kMaxIterations) {
    return fail(fmt::format("{}: loop {} has extent {}, expected at most {}; split first", what,
                            unroll.loop, stage.loops[index].extent, kMaxIterations));
  }
  Stage result = stage;
  result.loops[index].kind = LoopKind::unrolled;
  return result;
}

}  // namespace dovetail
