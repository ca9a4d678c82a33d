// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/nesting.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

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

Result<Stage> apply(const loop::Fuse& fuse, const Stage& stage) {
  const std::string what = print(LoopPrimitive(fuse));
  const size_t outer = TRY(require_plain_loop(what, fuse.outer, stage));
  const size_t inner = TRY(require_plain_loop(what, fuse.inner, stage));
  if (inner != outer + 1) {
    return refuse(what, "loop {} is not directly inside loop {}; reorder first", fuse.inner,
                  fuse.outer);
  }
  if (stage.loops[outer].reduction != stage.loops[inner].reduction)
    return refuse(what, "one of the loops is a reduction, the other is not");
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

Result<Stage> apply(const loop::Reorder& reorder, const Stage& stage) {
  const std::string what = print(LoopPrimitive(reorder));
  std::vector<size_t> places;
  for (const std::string& name : reorder.loops) {
    const size_t index = TRY(require_loop(what, name, stage));
    if (std::find(places.begin(), places.end(), index) != places.end())
      return refuse(what, "loop {} is named twice", name);
    places.push_back(index);
  }
  std::vector<size_t> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  Stage result = stage;
  for (size_t k = 0; k < places.size(); ++k) result.loops[sorted[k]] = stage.loops[places[k]];
  return result;
}

}  // namespace dovetail
