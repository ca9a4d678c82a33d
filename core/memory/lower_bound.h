// SPDX-License-Identifier: Apache-2.0
#pragma once

// lower_bound_bytes: a lower bound of every plan's peak, summed over the pools.
//
//   lifetimes    the most bytes that are live at one time
//   conflicts    the heaviest clique found: exactly the heaviest where the search ends in time,
//                which it does for some hundreds of buffers
//   both         no less than the end of a buffer with a fixed offset
//
//   heaviest_set(problem)    {.bytes = 8, .time = 0, .buffers = {0, 2}}: the buffers that make the
//                            bound, for error messages

#include <cstdint>
#include <optional>
#include <vector>

#include "core/memory/plan.h"

namespace dovetail {

struct LiveSet {
  int64_t bytes = 0;
  std::optional<int64_t> time = {};  // the first such time; none where conflicts are given
  std::vector<int> buffers = {};     // ascending
  friend bool operator==(const LiveSet&, const LiveSet&) = default;
};

LiveSet heaviest_set(const PlanningProblem& problem);

int64_t lower_bound_bytes(const PlanningProblem& problem);

// The same for each pool, from the buffers that the plan placed in it.
std::vector<int64_t> pool_bounds(const PlanningProblem& problem, const Plan& plan);

}  // namespace dovetail
