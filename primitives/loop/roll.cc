// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/roll.h"

#include <algorithm>

#include "core/base/text.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

// The part's loops as attaching made them: one per axis, in order, before any other.
Result<size_t> require_axis(const std::string& what, const std::string& axis, const Stage& stage) {
  const Attachment& a = *stage.attachment;
  size_t found = a.extents.size();
  for (size_t k = 0; k < a.extents.size(); ++k) {
    const bool whole = k < stage.loops.size() && stage.loops[k].extent == a.extents[k] &&
                       stage.loops[k].kind == LoopKind::serial &&
                       stage.output_indices[k] == IndexExpr::variable(stage.loops[k].name);
    if (!whole)
      return fail(what + ": loops of the part are changed already, expected it before them");
    if (stage.loops[k].name == axis) found = k;
  }
  if (found < a.extents.size()) return found;
  return refuse(what, "no axis {}, expected one of {}", axis,
                one_of(std::span(stage.loops).first(a.extents.size()), &StageLoop::name));
}

Result<void> check_place(const std::string& what, const Stage& stage) {
  if (!stage.attachment)
    return refuse(what, "stage {} is a kernel of its own, expected compute_at before", stage.name);
  const Attachment& a = *stage.attachment;
  if (a.ring) return refuse(what, "stage {} rolls already", stage.name);
  if (a.scope == TileScope::local)
    return refuse(what,
                  "work-items fill a local tile as a whole, expected scope private or workspace");
  if (a.doubled)
    return refuse(what, "{} has two copies in turn, expected one", stage.computation.output.tensor);
  const bool rounds = !a.around.empty() && a.around.back().kind == LoopKind::serial &&
                      a.around.back().extent > 1 && a.around.back().chosen < 0;
  if (rounds) return {};
  return refuse(what, "loop {} of {} has no rounds that follow each other, expected a serial loop",
                a.loop, a.stage);
}

// By how much the part moves along the axis from one round of the loop to the next.
Result<int64_t> require_step(const std::string& what, size_t axis, const Stage& stage) {
  const Attachment& a = *stage.attachment;
  const StageLoop& loop = a.around.back();
  for (size_t k = 0; k < a.starts.size(); ++k) {
    const int64_t step = k == axis ? a.starts[k].coefficient(loop.name) : 0;
    const IndexExpr rest = a.starts[k] - IndexExpr::variable(loop.name) * step;
    if (rest.mentions(loop.name))
      return refuse(what,
                    "the part starts at {} along {}, expected a constant step a round along {} and "
                    "none elsewhere",
                    print(a.starts[k]), stage.loops[k].name, stage.loops[axis].name);
  }
  const int64_t step = a.starts[axis].coefficient(loop.name);
  if (step >= 1 && step < a.extents[axis]) return step;
  return refuse(what, "the part of {} elements moves by {} a round, expected 1 to {}",
                a.extents[axis], step, a.extents[axis] - 1);
}

}  // namespace

Result<Stage> apply(const loop::Roll& roll, const Stage& stage) {
  const std::string what = print(LoopPrimitive(roll));
  TRY(check_place(what, stage));
  const size_t axis = TRY(require_axis(what, roll.axis, stage));
  const int64_t step = TRY(require_step(what, axis, stage));
  const std::string rounds = stage.name + ".round";
  if (std::ranges::find(stage.loops, "round", &StageLoop::name) != stage.loops.end())
    return refuse(what, "stage {} has a loop round, which is what a ring counts by", stage.name);
  Stage result = stage;
  Attachment& a = *result.attachment;
  const int64_t kept = a.extents[axis] - step;
  a.ring = Ring{axis, step, (kept + step - 1) / step};
  const StageLoop loop = a.around.back();
  a.around.push_back({.name = rounds, .extent = loop.extent + a.ring->ahead});
  result.loops[axis].extent = step;
  const std::vector<IndexExpr> starts = a.starts;
  result = with_values(std::move(result),
                       {{loop.name, IndexExpr::variable(rounds) - IndexExpr(a.ring->ahead)},
                        {roll.axis, IndexExpr::variable(roll.axis) + IndexExpr(kept)}});
  result.attachment->starts = starts;
  return result;
}

}  // namespace dovetail
