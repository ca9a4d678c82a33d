// SPDX-License-Identifier: Apache-2.0
#pragma once

// offset_order_search: the smallest plan of one pool, for any problem: conflicts of any shape,
// different alignments, fixed offsets.
//
//   placed by rising offset, each as low as those before it allow:  every plan can be pushed down
//   into one of these, so that nothing better is missed
//
// Complete search for small problems (some dozens of buffers); however it stops, the best plan so
// far is returned.

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

// A plan with a lower peak than `best`, or `best`; where the search was exhaustive, with the proof
// that none is lower.
Plan offset_order_search(const PlanningProblem& problem, const ConflictLists& conflicts, Plan best,
                         const OffsetOrderOptions& options);

}  // namespace dovetail
