// SPDX-License-Identifier: Apache-2.0
#pragma once

// Plan: the pool and offset of each buffer, in the order of the problem's buffers.
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
  int64_t offset = 0;  // in bytes, from the start of the pool
  friend bool operator==(const Placement&, const Placement&) = default;
};

struct Plan {
  std::vector<Placement> placements;
  // A lower bound of every plan's peak that the search proved; 0: it proved nothing.
  int64_t proved_bytes = 0;
  friend bool operator==(const Plan&, const Plan&) = default;
};

// The end of the highest buffer of each pool; 0 for an empty pool.
std::vector<int64_t> pool_peaks(const PlanningProblem& problem, const Plan& plan);
int64_t peak_bytes(const PlanningProblem& problem, const Plan& plan);  // the sum over pools

}  // namespace dovetail
