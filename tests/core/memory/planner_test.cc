// SPDX-License-Identifier: Apache-2.0
#include "core/memory/planner.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/memory/lower_bound.h"
#include "core/memory/validator/validate_plan.h"
#include "tests/core/memory/planning_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

int64_t peak_of(const PlanningProblem& problem, std::string_view algorithm) {
  return right(plan_memory(problem, algorithm, {.seconds = 5})).peak_bytes;
}

struct KnownCase {
  const char* name;
  int64_t bound, greedy_most, best;
};

TEST(Planner, MeetsTheFiguresOfUsmp) {
  for (const KnownCase& known : {KnownCase{"alloc_max", 67600, 67600, 67600},
                                 {"five", 176923, 176923, 176923},
                                 {"simple", 216096, 220192, 216096},
                                 {"deep_speech", 100352, 114688, 100352},
                                 {"resnet_subgraph", 7200256, 7200256, 7200256},
                                 {"mobilenet_subgraph", 1117718, 1117718, 1117718},
                                 {"linear", 140, 140, 140},
                                 {"fanout", 210, 320, 210}}) {
    const PlanningProblem problem = planning_case(known.name);
    EXPECT_EQ(lower_bound_bytes(problem), known.bound) << known.name;
    EXPECT_LE(peak_of(problem, "greedy_by_size"), known.greedy_most) << known.name;
    EXPECT_LE(peak_of(problem, "greedy_by_conflicts"), known.greedy_most) << known.name;
    EXPECT_EQ(peak_of(problem, "hill_climb"), known.best) << known.name;
    EXPECT_EQ(peak_of(problem, "exact"), known.best) << known.name;
  }
}

TEST(Planner, FallsBackToTheNextPoolWhereTheFirstIsFull) {
  const PlanningProblem problem = planning_case(
      "mobilenet_subgraph", {{.name = "fast", .limit_bytes = 200704}, {.name = "slow"}});
  for (const std::string& name : builtin_planners().names()) {
    const PlanningResult result = right(plan_memory(problem, name));
    EXPECT_EQ(pool_peaks(problem, result.plan), (std::vector<int64_t>{200704, 1117462})) << name;
  }
}

TEST(Planner, FailsWhereNothingFits) {
  PlanningProblem problem = planning_case("simple");
  problem.pools = {{.name = "small", .limit_bytes = 1000}};
  EXPECT_ERROR(plan_memory(problem, "greedy_by_size"), "pool small of 1000 bytes is too small");
  EXPECT_ERROR(plan_memory(problem, "exact"), "pool small of 1000 bytes is too small");
}

TEST(Planner, FindsAnOrderWithinALimitThatGreedyPlannersMiss) {
  PlanningProblem problem = planning_case("simple");
  problem.pools.front().limit_bytes = 216096;
  EXPECT_ERROR(plan_memory(problem, "greedy_by_size"), "expected at most 216096 in pool default");
  EXPECT_EQ(peak_of(problem, "exact"), 216096);
}

TEST(Planner, KeepsFixedOffsets) {
  PlanningProblem problem = planning_case("linear");
  problem.buffers[0].offset = 500;
  for (const std::string& name : builtin_planners().names())
    EXPECT_EQ(peak_of(problem, name), 510) << name;
  problem.buffers[1].offset = 505;
  EXPECT_ERROR(plan_memory(problem, "exact"),
               "conflict, and their fixed offsets 505 and 500 overlap");
}

TEST(Planner, TakesAnAlgorithmOfOnesOwnAndChecksIt) {
  PlannerTable planners = builtin_planners();
  const auto added =
      planners.add("all_at_zero", [](const PlanningProblem& problem, const PlannerOptions&) {
        return Plan{std::vector<Placement>(problem.buffers.size())};
      });
  ASSERT_TRUE(added.has_value());
  EXPECT_ERROR(plan_memory(planning_case("five"), "all_at_zero", {}, planners),
               "algorithm all_at_zero: buffers");
  EXPECT_ERROR(planners.add("exact", planners.find("exact").value()), "exact is there already");
  EXPECT_ERROR(plan_memory(planning_case("five"), "exactly", {}, planners),
               "unknown algorithm 'exactly'; expected one of: greedy_by_size");
}

TEST(Planner, TakesProblemsWithoutBuffersOrBytes) {
  for (const std::string& name : builtin_planners().names()) {
    EXPECT_EQ(peak_of({.buffers = {}}, name), 0);
    EXPECT_EQ(peak_of({.buffers = {{.id = "none", .bytes = 0}}}, name), 0);
    EXPECT_EQ(peak_of({.buffers = {{.id = "never", .bytes = 9, .lifetime = {3, 3}}}}, name), 0);
  }
}

// The order of buffers and a limit of nothing decide; times do not.
RC_GTEST_PROP(Planner, NeverOverlapsNorPassesTheBoundAndRepeats, ()) {
  const int buffers = *rc::gen::inRange(1, 40);
  const auto seed = *rc::gen::inRange<uint64_t>(0, 1 << 20);
  const PlanningProblem problem = random_planning_problem(buffers, seed);
  for (const std::string name : {"greedy_by_size", "greedy_by_conflicts", "hill_climb"}) {
    const PlanningResult result = right(plan_memory(problem, name));
    RC_ASSERT(validate_plan(problem, result.plan).has_value());
    RC_ASSERT(result.peak_bytes >= result.lower_bound_bytes);
    RC_ASSERT(right(plan_memory(problem, name)).plan == result.plan);
  }
}

TEST(Planner, NeverOverlapsInThousandsOfRandomProblems) {
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    const PlanningProblem problem = random_planning_problem(1 + static_cast<int>(seed % 24), seed);
    for (const std::string name : {"greedy_by_size", "greedy_by_conflicts"})
      right(plan_memory(problem, name));  // it validates
  }
}

}  // namespace
}  // namespace dovetail::testing
