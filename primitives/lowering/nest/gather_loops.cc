// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/gather_loops.h"

#include <algorithm>
#include <set>

#include "primitives/loop/loop_lookup.h"

namespace dovetail {

bool is_for_result(const StageLoop& gather, const Stage& stage) {
  const Computation& c = stage.computation;
  const Ranges ranges = loop_ranges(stage);
  std::set<std::string> loops;
  const auto loops_of = [&](const IndexExpr& index) {
    return substitute(index, stage.axis_values, ranges).variables();
  };
  const auto add = [&](const IndexExpr& index) {
    for (std::string& name : loops_of(index)) loops.insert(std::move(name));
  };
  for_each_index(c.result, c.reads, add);
  // An element that an earlier index selects may determine a later index.
  const auto is_known = [&](const std::string& loop) { return loops.contains(loop); };
  for (auto index = c.gathers.rbegin(); index != c.gathers.rend(); ++index)
    if (std::ranges::any_of(loops_of(IndexExpr::variable(index->name)), is_known))
      for_each_index(index->value, c.reads, add);
  return loops.contains(gather.name);
}

}  // namespace dovetail
