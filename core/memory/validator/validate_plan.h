// SPDX-License-Identifier: Apache-2.0
#pragma once

// validate_plan: whether a plan is one, judged from the problem alone.
//
//   validate_plan(problem, plan)    error: "buffers a and c share bytes 4 to 8 of pool default"
//
// It shares no code with the planners, so that an error of theirs is not repeated here: it knows
// nothing of lists of conflicts or of gaps, and asks of each pool what occupies which bytes when.

#include "core/base/result.h"
#include "core/memory/plan.h"

namespace dovetail {

Result<void> validate_plan(const PlanningProblem& problem, const Plan& plan);

}  // namespace dovetail
