// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/memory/conflict_lists.h"
#include "core/memory/first_fit.h"
#include "core/memory/planner.h"
#include "tests/core/memory/planning_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

// The least peak of all orders by first fit: one of them gives an optimal plan, its own by offset.
int64_t least_of_all_orders(const PlanningProblem& problem) {
  const ConflictLists conflicts(problem);
  std::vector<int> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  int64_t least = kUnlimitedBytes;
  do {
    least = std::min(least, peak_bytes(problem, right(place_in_order(problem, conflicts, order))));
  } while (std::ranges::next_permutation(order).found);
  return least;
}

TEST(Exact, IsTheLeastOfAllOrdersOnSmallProblems) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    PlanningProblem problem = random_planning_problem(1 + static_cast<int>(seed % 7), seed / 2);
    problem.pools.resize(1);
    for (LiveBuffer& buffer : problem.buffers) {
      buffer.pools.clear();
      if (seed % 3 == 0) buffer.alignment = 1 << seed % 4;
    }
    EXPECT_EQ(right(plan_memory(problem, "exact")).peak_bytes, least_of_all_orders(problem))
        << "seed " << seed;
  }
}

TEST(Exact, FillsPerfectPackings) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const PlanningProblem problem = perfect_packing({.buffers = 60, .seed = seed});
    EXPECT_EQ(right(plan_memory(problem, "exact")).peak_bytes, 1 << 20) << "seed " << seed;
  }
}

TEST(Exact, ProvesThatTheBoundIsNotReached) {
  // Live are 4 bytes at every time, in sizes that never leave the right two beside each other.
  PlanningProblem problem;
  const auto add = [&](int64_t bytes, int64_t lower, int64_t upper) {
    problem.buffers.push_back({.id = "b" + std::to_string(problem.buffers.size()),
                               .bytes = bytes,
                               .lifetime = {lower, upper}});
  };
  add(1, 0, 2), add(1, 0, 3), add(1, 0, 4), add(1, 0, 1), add(2, 2, 6), add(2, 4, 8);
  const PlanningResult result = right(plan_memory(problem, "exact"));
  EXPECT_EQ(result.peak_bytes, least_of_all_orders(problem));
  EXPECT_TRUE(result.is_proved());
  EXPECT_EQ(result.lower_bound_bytes, result.peak_bytes) << "above the bytes that live at a time";
}

// Two buffers at multiples of 16: one of 4 bytes at 0, one of 5 behind it, or one byte more.
TEST(Exact, ProvesThatALimitIsTooSmall) {
  PlanningProblem problem{
      .buffers = {{.id = "a", .bytes = 5, .lifetime = {0, 3}, .alignment = 16},
                  {.id = "b", .bytes = 4, .lifetime = {0, 9}, .alignment = 16}}};
  const PlanningResult result = right(plan_memory(problem, "exact"));
  EXPECT_EQ(result.peak_bytes, 20);
  EXPECT_TRUE(result.is_proved());
  EXPECT_EQ(result.gap(), 0);
  problem.pools.front().limit_bytes = 19;
  EXPECT_ERROR(
      plan_memory(problem, "exact"),
      "19 bytes is too small for any plan, which is proved: 1 too many; expected at least 20");
  problem.pools.front().limit_bytes = 20;
  EXPECT_EQ(right(plan_memory(problem, "exact")).peak_bytes, 20);
}

TEST(Exact, ProvesOnlyWhatItSearchedToItsEnd) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    PlanningProblem problem = random_planning_problem(1 + static_cast<int>(seed % 7), seed);
    problem.pools = {Pool{}};
    for (LiveBuffer& buffer : problem.buffers) buffer.pools.clear();
    const PlanningResult found = right(plan_memory(problem, "exact"));
    EXPECT_LE(found.lower_bound_bytes, least_of_all_orders(problem)) << "seed " << seed;
    const PlanningResult stopped =
        right(plan_memory(problem, "exact", {.is_stopped = [] { return true; }}));
    EXPECT_LE(stopped.lower_bound_bytes, least_of_all_orders(problem)) << "seed " << seed;
  }
}

TEST(Exact, GivesTheBestSoFarWhenItIsStopped) {
  const PlanningProblem problem = perfect_packing({.buffers = 200, .seed = 1});
  const PlanningResult result =
      right(plan_memory(problem, "exact", {.is_stopped = [] { return true; }}));
  EXPECT_GE(result.peak_bytes, result.lower_bound_bytes);
}

// No seconds at all would leave hill_climb's plan: the clock must not be asked.
TEST(Exact, GivesTheSamePlanInTheSameNodesHoweverLongTheyTake) {
  for (const uint64_t seed : {0, 3}) {
    const PlanningProblem problem = perfect_packing({.buffers = 100, .seed = seed});
    const Plan plan = right(plan_memory(problem, "exact", {.most_nodes = 3000})).plan;
    const PlanningResult hurried =
        right(plan_memory(problem, "exact", {.seconds = 0, .most_nodes = 3000}));
    EXPECT_EQ(hurried.plan, plan) << "seed " << seed;
    EXPECT_LT(hurried.peak_bytes, right(plan_memory(problem, "hill_climb")).peak_bytes);
  }
}

TEST(Exact, ImprovesWithMoreNodesAndTakesNoneForItsStart) {
  const PlanningProblem problem = perfect_packing({.buffers = 60, .seed = 6});
  const PlanningResult climbed = right(plan_memory(problem, "hill_climb"));
  EXPECT_EQ(right(plan_memory(problem, "exact", {.most_nodes = 0})).plan.placements,
            climbed.plan.placements);
  const int64_t solved = right(plan_memory(problem, "exact", {.most_nodes = 1'000'000})).peak_bytes;
  EXPECT_EQ(solved, 1 << 20);
  EXPECT_GT(climbed.peak_bytes, solved);
}

// Conflicts and alignments that differ take the other search.
TEST(Exact, CountsNodesOfEitherSearch) {
  for (uint64_t seed = 1; seed < 40; seed += 2) {
    PlanningProblem problem = random_planning_problem(24, seed);
    problem.pools = {Pool{}};
    for (LiveBuffer& buffer : problem.buffers) buffer.pools.clear();
    const PlanningResult few = right(plan_memory(problem, "exact", {.most_nodes = 500}));
    EXPECT_EQ(right(plan_memory(problem, "exact", {.most_nodes = 500})).plan, few.plan);
    EXPECT_GE(few.peak_bytes,
              right(plan_memory(problem, "exact", {.most_nodes = 5000})).peak_bytes);
  }
}

TEST(Exact, SaysHowManyNodesALimitTook) {
  PlanningProblem problem = perfect_packing({.buffers = 100, .seed = 6});
  problem.pools.front().limit_bytes = 1 << 20;
  EXPECT_ERROR(plan_memory(problem, "exact", {.most_nodes = 10}),
               "no plan found in 10 nodes fits pool default");
}

}  // namespace
}  // namespace dovetail::testing
