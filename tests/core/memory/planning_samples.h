// SPDX-License-Identifier: Apache-2.0
#pragma once

// Problems for tests of planners: the cases of TVM's USMP, perfect packings, and random ones.

#include <cstdint>
#include <string>

#include "core/memory/planning_problem.h"

namespace dovetail::testing {

// tests/core/memory/cases/NAME.csv, with NAME.conflicts.csv where there is one.
PlanningProblem planning_case(const std::string& name, std::vector<Pool> pools = {});

// Buffers that fill a rectangle of time x addresses: a plan of `bytes` exists, and none is
// smaller.
//
//   aabbbb     cut in two at a time or at an address, or in five around a middle (which no cut
//   aaccdd     from side to side makes), again and again until there are `buffers`
//   eeccdd
struct PerfectPacking {
  int buffers = 60;
  uint64_t seed = 0;
  int64_t times = 1 << 20;
  int64_t bytes = 1 << 20;  // a multiple of 1024, as are all sizes
};
PlanningProblem perfect_packing(const PerfectPacking& packing);

// `buffers` of random lifetimes, sizes, alignments, pools (none of them limited) and, for odd
// seeds, conflicts instead of lifetimes; a few are of no bytes or empty lifetimes.
PlanningProblem random_planning_problem(int buffers, uint64_t seed);

}  // namespace dovetail::testing
