// SPDX-License-Identifier: Apache-2.0
#pragma once

// check_limits: whether the pools of a problem are too small for any plan; the one-line error names
// the buffers in the way.
//
//   pool sram of 100000 bytes is too small: at kernel 17 of 117, 9633792 bytes are alive, 9533792
//   too many: conv1.Y 3211264, pool.X 3211264, conv2.Y 802816, ... (5 more)
//
//   pools sram of 1000 bytes, dram of 2000 bytes are too small together: at time 3 of 9, ...
//
//   buffer Y of 4000 bytes fits none of pools sram of 1000 bytes, dram of 3500 bytes: 500 too many
//
// Each set of pools that some buffer names, often a single one, is checked against the buffers that
// may be placed nowhere else. Times are those of lifetimes, counted from 0. Why before planning:
// every algorithm then reports the same error, and none searches for a plan that cannot exist. A
// problem that passes may still have no plan, because free bytes are fragmented.

#include <string>

#include "core/base/result.h"
#include "core/memory/lower_bound.h"

namespace dovetail {

// Precondition: check_problem() accepts the problem.
Result<void> check_limits(const PlanningProblem& problem);

bool has_limits(const PlanningProblem& problem);

// "at kernel 17 of 117, 9633792 bytes are alive: conv1.Y 3211264, ...", largest first; `note`
// follows the number of bytes.
std::string alive_text(const PlanningProblem& problem, const LiveSet& alive,
                       const std::string& note = {});

}  // namespace dovetail
