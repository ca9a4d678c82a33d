// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/bind.h"

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

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
