// SPDX-License-Identifier: Apache-2.0
#pragma once

// offset_order_search: the least plan of one pool, for anything that a problem may have: conflicts
// of any shape, alignments that differ, fixed offsets.
//
//   placed by rising offset, each as low as those before it allow:  every plan can be pushed down
//   into one of these, so that nothing better is missed
//
// It is a search for small problems (some dozens of buffers); whatever stops it, the best plan that
// it has seen counts.

#include <cstdint>
#include <functional>
#include <limits>

#include "core/memory/conflict_lists.h"
#include "core/memory/plan.h"

namespace dovetail {

struct OffsetOrderOptions {
  int64_t lower_bound_bytes = 0;  // a plan of this size ends the search
  int64_t most_nodes = std::numeric_limits<int64_t>::max();
  std::function<bool()> is_stopped{};
};

// A plan below `best`, or `best`; where the search came to its end, with the proof that none is
// smaller.
Plan offset_order_search(const PlanningProblem& problem, const ConflictLists& conflicts, Plan best,
                         const OffsetOrderOptions& options);

}  // namespace dovetail
