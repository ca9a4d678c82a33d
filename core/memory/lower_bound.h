// SPDX-License-Identifier: Apache-2.0
#pragma once

// lower_bound_bytes: what no plan can be below, all pools together.
//
//   lifetimes    the most bytes that are live at one time
//   conflicts    the heaviest clique found: exactly the heaviest where the search ends in time,
//                which it does for some hundreds of buffers
//   both         no less than the end of a buffer with a fixed offset

#include <cstdint>

#include "core/memory/planning_problem.h"

namespace dovetail {

int64_t lower_bound_bytes(const PlanningProblem& problem);

}  // namespace dovetail
