// SPDX-License-Identifier: Apache-2.0
#pragma once

// validate_plan: whether a plan is valid, checked against the problem alone.
//
//   validate_plan(problem, plan)    error: "buffers a and c share bytes 4 to 8 of pool default"
//
// It shares no code with the planners, so that it does not repeat their bugs: it uses neither
// conflict lists nor gaps, and checks for each pool which buffers occupy which bytes when.

#include "core/base/result.h"
#include "core/memory/plan.h"

namespace dovetail {

Result<void> validate_plan(const PlanningProblem& problem, const Plan& plan);

}  // namespace dovetail
