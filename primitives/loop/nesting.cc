// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/nesting.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

Result<void> check_factor(const std::string& what, const loop::Split& split,
                          const StageLoop& loop) {
  if (split.tail == Tail::none || split.factor < 2)
    return require_factor(what, "loop " + split.loop, loop.extent, split.factor);
  if (split.factor < loop.extent && loop.gathers < 0) return {};
  return refuse(what, "factor {} leaves no whole round of loop {} with extent {}", split.factor,
                split.loop, loop.extent);
}

// Axes that the loop iterates whole, one or several fused ones; empty where it iterates parts.
std::vector<std::string> axes_of(const StageLoop& loop, const Stage& stage) {
  const IndexExpr variable = IndexExpr::variable(loop.name);
  for (auto fused = stage.fused.rbegin(); fused != stage.fused.rend(); ++fused)
    if (fused->whole == variable) return fused->axes;
  for (const Axis& axis : stage.computation.axes) {
    const auto value = stage.axis_values.find(axis.name);
    if (value != stage.axis_values.end() && value->second == variable && axis.extent == loop.extent)
      return {axis.name};
  }
  return {};
}

// A loop with a tail counts iterations that do not exist.
Result<void> check_whole(const std::string& what, const std::string& loop, const Stage& stage) {
  for (const Bound& bound : stage.bounds)
    if (bound.expr.mentions(loop))
      return refuse(what, "loop {} was cut where its factor does not divide it, fuse before that",
                    loop);
  return {};
}

}  // namespace

Result<Stage> apply(const loop::Split& split, const Stage& stage) {
  const std::string what = print(LoopPrimitive(split));
  const size_t index = TRY(require_plain_loop(what, split.loop, stage));
  StageLoop outer = stage.loops[index], inner = outer;
  TRY(check_factor(what, split, outer));
  outer.name += ".0";
  inner.name += ".1";
  outer.extent = round_up(outer.extent, split.factor) / split.factor;
  inner.extent = split.factor;
  Stage result = stage;
  result.loops[index] = outer;
  result.loops.insert(result.loops.begin() + static_cast<ptrdiff_t>(index) + 1, inner);
  const IndexExpr value =
      IndexExpr::variable(outer.name) * split.factor + IndexExpr::variable(inner.name);
  const int64_t extent = stage.loops[index].extent;
  if (extent % split.factor != 0) result.bounds.push_back({value, 0, extent});
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
  TRY(check_whole(what, fuse.outer, stage));
  TRY(check_whole(what, fuse.inner, stage));
  if (stage.loops[outer].reduction != stage.loops[inner].reduction)
    return refuse(what, "one of the loops is a reduction, the other is not");
  Stage result = stage;
  std::vector<std::string> axes = axes_of(stage.loops[outer], stage);
  const std::vector<std::string> last = axes_of(stage.loops[inner], stage);
  const bool whole = !axes.empty() && !last.empty();
  axes.insert(axes.end(), last.begin(), last.end());
  const int64_t inner_extent = stage.loops[inner].extent;
  result.loops[outer].name = fused_name(fuse.outer, fuse.inner);
  result.loops[outer].extent *= inner_extent;
  result.loops.erase(result.loops.begin() + static_cast<ptrdiff_t>(inner));
  const Ranges ranges = loop_ranges(result);
  const IndexExpr fused = IndexExpr::variable(result.loops[outer].name);
  result = with_values(std::move(result), {{fuse.outer, floor_div(fused, inner_extent, ranges)},
                                           {fuse.inner, floor_mod(fused, inner_extent, ranges)}});
  if (whole) result.fused.push_back({std::move(axes), fused});
  return result;
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
