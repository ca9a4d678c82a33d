// SPDX-License-Identifier: Apache-2.0
#pragma once

// The algorithms of builtin_planners(), one file each. Precondition: check_problem() accepts the
// problem.
//
//   greedy_by_size       largest first, each at the lowest offset that is free
//   greedy_by_conflicts  the same, most conflicts first
//   hill_climb           local search over orders, guided by the buffers at a pool's peak
//   exact                complete search for a plan at the lower bound, or the smallest above it

#include "core/memory/planner.h"

namespace dovetail {

Result<Plan> greedy_by_size(const PlanningProblem& problem, const PlannerOptions& options);
Result<Plan> greedy_by_conflicts(const PlanningProblem& problem, const PlannerOptions& options);
Result<Plan> hill_climb(const PlanningProblem& problem, const PlannerOptions& options);
Result<Plan> exact_plan(const PlanningProblem& problem, const PlannerOptions& options);

}  // namespace dovetail
