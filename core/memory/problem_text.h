// SPDX-License-Identifier: Apache-2.0
#pragma once

// Problems and plans as CSV. MiniMalloc's files are read as they are, older ones too.
//
//   id,lower,upper,size,alignment,pools,offset
//   a,0,3,4,1,,
//   b,3,9,4,64,fast|slow,
//   c,0,9,4,1,slow,128
//
// id, lower, upper and size must be there; columns come in any order. `pools` are names in the
// order in which they are tried, divided by | or ;. An `offset` is fixed; `access` is rw or ro.
// MiniMalloc's other words: buffer and buffer_id are id, begin and start are lower, and end is
// upper less one, the last time at which the buffer is used. `gaps` are times in which nobody needs
// its bytes, "12-14 20-21", and where the file says end their last times, too; gaps of some bytes
// only (12-14@0:8) are refused. A `hint` is not used.
//
// In a plan that was written, `pools` and `offset` are where each buffer lies, so that reading
// it in again gives the same plan. Conflicts are a file of their own: a header `a,b`, then two
// ids a line.

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/memory/plan.h"

namespace dovetail {

// `NAME`, `NAME:size=N`, `NAME:size=N,align=A,access=rw|ro`; `unsaid` has what the text leaves out.
Result<Pool> parse_pool(std::string_view text, Pool unsaid = {});

// `name` is the file's, for errors. No pools given: those that the file names, without limits, or
// one called default.
Result<PlanningProblem> parse_problem(std::string_view text, std::string_view name,
                                      std::vector<Pool> pools = {});
Result<std::vector<ConflictPair>> parse_conflicts(std::string_view text, std::string_view name,
                                                  const PlanningProblem& problem);

std::string print_problem(const PlanningProblem& problem);  // without its conflicts
std::string print_plan(const PlanningProblem& problem, const Plan& plan);
std::string print_conflicts(const PlanningProblem& problem);

}  // namespace dovetail
