// SPDX-License-Identifier: Apache-2.0
#pragma once

// Plan: where each buffer of a problem lies, in the order of its buffers.
//
//   Plan plan{{{.pool = 0, .offset = 4}, {.pool = 0, .offset = 4}, {.pool = 0, .offset = 0}}};
//   peak_bytes(problem, plan)     8, all pools together
//   pool_peaks(problem, plan)     {8}

#include <cstdint>
#include <vector>

#include "core/memory/planning_problem.h"

namespace dovetail {

struct Placement {
  int pool = 0;
  int64_t offset = 0;  // in bytes, from the pool's begin
  friend bool operator==(const Placement&, const Placement&) = default;
};

struct Plan {
  std::vector<Placement> placements;
  // No plan of the problem has a smaller peak: the search that made this one proved it. 0: it
  // proved nothing.
  int64_t proved_bytes = 0;
  friend bool operator==(const Plan&, const Plan&) = default;
};

// The end of what lies highest in each pool; 0 for a pool that holds nothing.
std::vector<int64_t> pool_peaks(const PlanningProblem& problem, const Plan& plan);
int64_t peak_bytes(const PlanningProblem& problem, const Plan& plan);  // the sum over pools

}  // namespace dovetail
