// SPDX-License-Identifier: Apache-2.0
#pragma once

// The algorithms of builtin_planners(), one file each. They take a problem that check_problem()
// accepts.
//
//   greedy_by_size       largest first, each at the lowest offset that is free
//   greedy_by_conflicts  the same, most conflicts first
//   hill_climb           orders tried one after the other, guided by what lies at the top
//   exact                complete search for a plan at the lower bound, or as near as there is

#include "core/memory/planner.h"

namespace dovetail {

Result<Plan> greedy_by_size(const PlanningProblem& problem, const PlannerOptions& options);
Result<Plan> greedy_by_conflicts(const PlanningProblem& problem, const PlannerOptions& options);
Result<Plan> hill_climb(const PlanningProblem& problem, const PlannerOptions& options);
Result<Plan> exact_plan(const PlanningProblem& problem, const PlannerOptions& options);

}  // namespace dovetail
