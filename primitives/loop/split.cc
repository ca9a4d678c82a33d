// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/split.h"

#include "primitives/divisors.h"
#include "primitives/loop/loop_lookup.h"

namespace dovetail {

Result<Stage> apply(const loop::Split& split, const Stage& stage) {
  const std::string what = print(LoopPrimitive(split));
  const size_t index = TRY(require_plain_loop(what, split.loop, stage));
  StageLoop outer = stage.loops[index], inner = outer;
  TRY(require_factor(what, "loop " + split.loop, outer.extent, split.factor));
  outer.name += ".0";
  inner.name += ".1";
  outer.extent /= split.factor;
  inner.extent = split.factor;
  Stage result = stage;
  result.loops[index] = outer;
  result.loops.insert(result.loops.begin() + static_cast<ptrdiff_t>(index) + 1, inner);
  const IndexExpr value =
      IndexExpr::variable(outer.name) * split.factor + IndexExpr::variable(inner.name);
  return with_values(std::move(result), {{split.loop, value}});
}

}  // namespace dovetail
