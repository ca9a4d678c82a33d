// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/parallel.h"

#include "primitives/loop/loop_lookup.h"

namespace dovetail {

Result<Stage> apply(const loop::Parallel& parallel, const Stage& stage) {
  const size_t index = TRY(
      require_output_loop(print(LoopPrimitive(parallel)), parallel.loop, "run in parallel", stage));
  Stage result = stage;
  result.loops[index].kind = LoopKind::parallel;
  return result;
}

}  // namespace dovetail
