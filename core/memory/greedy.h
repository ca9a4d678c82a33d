// SPDX-License-Identifier: Apache-2.0
#pragma once

// The orders of the greedy planners: those of TVM's USMP, including its tie-breaks, so that results
// are comparable.
//
//   order_by_size         more bytes first, then more conflicts, then the later id
//   order_by_conflicts    more conflicts first, then more bytes, then the later id

#include <vector>

#include "core/memory/conflict_lists.h"

namespace dovetail {

std::vector<int> order_by_size(const PlanningProblem& problem, const ConflictLists& conflicts);
std::vector<int> order_by_conflicts(const PlanningProblem& problem, const ConflictLists& conflicts);

}  // namespace dovetail
