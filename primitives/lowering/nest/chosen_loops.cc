// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/chosen_loops.h"

#include <algorithm>
#include <set>

#include "primitives/loop/loop_lookup.h"

namespace dovetail {

bool is_for_result(const StageLoop& chosen, const Stage& stage) {
  const Computation& c = stage.computation;
  const Ranges ranges = loop_ranges(stage);
  std::set<std::string> loops;
  const auto add = [&](const IndexExpr& index) {
    for (std::string& name : substitute(index, stage.axis_values, ranges).variables())
      loops.insert(std::move(name));
  };
  for_each_index(c.result, c.reads, add);
  // A later index may be chosen by an element that an earlier one names.
  for (auto index = c.chosen.rbegin(); index != c.chosen.rend(); ++index)
    if (loops.contains(index->name)) for_each_index(index->value, c.reads, add);
  return loops.contains(chosen.name);
}

}  // namespace dovetail
