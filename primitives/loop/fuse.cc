// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/fuse.h"

#include "primitives/layout/axis_lookup.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Stage> apply(const loop::Fuse& fuse, const Stage& stage) {
  const std::string what = print(LoopPrimitive(fuse));
  const size_t outer = TRY(require_plain_loop(what, fuse.outer, stage));
  const size_t inner = TRY(require_plain_loop(what, fuse.inner, stage));
  if (inner != outer + 1) {
    return refuse(what, "loop {} is not directly inside loop {}; reorder first", fuse.inner,
                  fuse.outer);
  }
  if (stage.loops[outer].reduction != stage.loops[inner].reduction) {
    return refuse(what, "one of the loops is a reduction, the other is not");
  }
  Stage result = stage;
  const int64_t inner_extent = stage.loops[inner].extent;
  result.loops[outer].name = fused_name(fuse.outer, fuse.inner);
  result.loops[outer].extent *= inner_extent;
  result.loops.erase(result.loops.begin() + static_cast<ptrdiff_t>(inner));
  const Ranges ranges = loop_ranges(result);
  const IndexExpr fused = IndexExpr::variable(result.loops[outer].name);
  return with_values(std::move(result), {{fuse.outer, floor_div(fused, inner_extent, ranges)},
                                         {fuse.inner, floor_mod(fused, inner_extent, ranges)}});
}

}  // namespace dovetail
