// SPDX-License-Identifier: Apache-2.0
#pragma once

// check_limits: whether the pools of a problem are too small for any plan, said in one line that
// names what is in the way.
//
//   pool sram of 100000 bytes is too small: at kernel 17 of 117, 9633792 bytes are alive, 9533792
//   too many: conv1.Y 3211264, pool.X 3211264, conv2.Y 802816, ... (5 more)
//
//   pools sram of 1000 bytes, dram of 2000 bytes are too small together: at time 3 of 9, ...
//
//   buffer Y of 4000 bytes fits none of pools sram of 1000 bytes, dram of 3500 bytes: 500 too many
//
// A pool and any pools that buffers name together are judged by those buffers that may lie nowhere
// else. Times are lifetimes', counted from 0. Why before planning and not where a planner fails:
// every algorithm then says the same, and none searches for what cannot be. What it lets pass may
// still have no plan, because bytes that are free lie apart.

#include <string>

#include "core/base/result.h"
#include "core/memory/lower_bound.h"

namespace dovetail {

// For a problem that check_problem() accepts.
Result<void> check_limits(const PlanningProblem& problem);

bool has_limits(const PlanningProblem& problem);

// "at kernel 17 of 117, 9633792 bytes are alive: conv1.Y 3211264, ...", largest first; `note` comes
// behind the bytes.
std::string alive_text(const PlanningProblem& problem, const LiveSet& alive,
                       const std::string& note = {});

}  // namespace dovetail
