// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/memory/planner.h"
#include "tests/core/memory/planning_samples.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

TEST(ExactSlow, FillsLargePerfectPackings) {
  for (const int buffers : {60, 120, 150, 180, 240, 300, 450}) {
    for (uint64_t seed = 0; seed < 2; ++seed) {
      const PlanningProblem problem = perfect_packing({.buffers = buffers, .seed = seed});
      EXPECT_EQ(right(plan_memory(problem, "exact")).peak_bytes, 1 << 20)
          << buffers << " buffers, seed " << seed;
    }
  }
}

TEST(PlannerSlow, PlansAHundredThousandBuffersGreedily) {
  PlanningProblem problem = random_planning_problem(100'000, 0);
  for (const std::string name : {"greedy_by_size", "greedy_by_conflicts", "hill_climb"})
    right(plan_memory(problem, name));
  for (LiveBuffer& buffer : problem.buffers) buffer.lifetime.upper += 20'000;  // thousands are live
  right(plan_memory(problem, "greedy_by_size"));
}

}  // namespace
}  // namespace dovetail::testing
