// SPDX-License-Identifier: Apache-2.0
#pragma once

// Problems and plans as CSV. MiniMalloc's files are accepted, older ones too.
//
//   id,lower,upper,size,alignment,pools,offset
//   a,0,3,4,1,,
//   b,3,9,4,64,fast|slow,
//   c,0,9,4,1,slow,128
//
// id, lower, upper and size are required; columns come in any order. `pools` are names in order of
// preference, separated by | or ;. An `offset` is fixed; `access` is rw or ro. MiniMalloc's
// aliases: buffer and buffer_id are id, begin and start are lower, and end is upper less one, the
// last time at which the buffer is used. `gaps` are times in which its bytes are dead, "12-14
// 20-21"; in a file with an end column they include their last times, too. Gaps of some bytes only
// (12-14@0:8) are refused. A `hint` is ignored.
//
// In a written plan, `pools` and `offset` are the placement of each buffer, so that reading it back
// gives the same plan. Conflicts are a separate file: a header `a,b`, then two ids per line.

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/memory/plan.h"

namespace dovetail {

// `NAME`, `NAME:size=N`, `NAME:size=N,align=A,access=rw|ro`; `unsaid` has the defaults.
Result<Pool> parse_pool(std::string_view text, Pool unsaid = {});

// `name` is the file's name for errors. Without `pools`, the pools are those that the file names,
// without limits, or one named default.
Result<PlanningProblem> parse_problem(std::string_view text, std::string_view name,
                                      std::vector<Pool> pools = {});
Result<std::vector<ConflictPair>> parse_conflicts(std::string_view text, std::string_view name,
                                                  const PlanningProblem& problem);

std::string print_problem(const PlanningProblem& problem);  // without its conflicts
std::string print_plan(const PlanningProblem& problem, const Plan& plan);
std::string print_conflicts(const PlanningProblem& problem);

}  // namespace dovetail
