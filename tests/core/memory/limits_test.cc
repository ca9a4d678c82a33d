// SPDX-License-Identifier: Apache-2.0
#include "core/memory/limits.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/memory/planner.h"
#include "tests/core/memory/planning_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

// Alive at 2: a, b and c.
PlanningProblem three_buffers(std::vector<Pool> pools) {
  return {.buffers = {{.id = "a", .bytes = 10, .lifetime = {0, 3}},
                      {.id = "b", .bytes = 30, .lifetime = {2, 5}},
                      {.id = "c", .bytes = 20, .lifetime = {1, 9}}},
          .pools = std::move(pools)};
}

TEST(Limits, NameWhatIsAliveAtTheWorstTimeLargestFirst) {
  EXPECT_EQ(heaviest_set(three_buffers({Pool{}})),
            (LiveSet{.bytes = 60, .time = 2, .buffers = {0, 1, 2}}));
  const PlanningProblem problem = three_buffers({{.name = "sram", .limit_bytes = 45}});
  for (const std::string& algorithm : builtin_planners().names())
    EXPECT_ERROR(plan_memory(problem, algorithm),
                 "pool sram of 45 bytes is too small: at time 2 of 9, 60 bytes are alive, "
                 "15 too many: b 30, c 20, a 10");
}

TEST(Limits, CallTimesWhatTheProblemCallsThem) {
  PlanningProblem problem = three_buffers({{.name = "sram", .limit_bytes = 45}});
  problem.times = {.name = "kernel", .end = 12};
  EXPECT_ERROR(check_limits(problem), "at kernel 2 of 12, 60 bytes are alive");
}

TEST(Limits, CountSomeOfManyBuffers) {
  PlanningProblem problem{.buffers = {}, .pools = {{.name = "p", .limit_bytes = 0}}};
  for (int i = 0; i < 9; ++i)
    problem.buffers.push_back({.id = "b" + std::to_string(i), .bytes = 1 + i});
  EXPECT_ERROR(check_limits(problem),
               "45 too many: b8 9, b7 8, b6 7, b5 6, b4 5, b3 4, ... (3 more)");
}

TEST(Limits, JudgePoolsTogether) {
  EXPECT_ERROR(check_limits(three_buffers(
                   {{.name = "sram", .limit_bytes = 10}, {.name = "dram", .limit_bytes = 30}})),
               "pools sram of 10 bytes, dram of 30 bytes are too small together: at time 2 of 9, "
               "60 bytes are alive, 20 too many: b 30");
  EXPECT_ERROR(check_limits(three_buffers({{.name = "sram", .limit_bytes = 29},
                                           {.name = "dram", .limit_bytes = 29},
                                           {.name = "flash", .limit_bytes = 29}})),
               "buffer b of 30 bytes fits none of pools sram of 29 bytes, dram of 29 bytes, "
               "flash of 29 bytes: 1 too many");
  EXPECT_TRUE(check_limits(three_buffers({{.name = "sram", .limit_bytes = 10}, {.name = "dram"}}))
                  .has_value());
}

TEST(Limits, JudgeAPoolByWhatMayLieNowhereElse) {
  PlanningProblem problem = three_buffers({{.name = "sram", .limit_bytes = 25}, {.name = "dram"}});
  problem.buffers[0].pools = problem.buffers[2].pools = {0};
  EXPECT_ERROR(check_limits(problem),
               "pool sram of 25 bytes is too small: at time 1 of 9, "
               "30 bytes are alive, 5 too many: c 20, a 10");
  problem.pools = {{.name = "sram", .limit_bytes = 5}, {.name = "rom", .access = PoolAccess::ro}};
  for (LiveBuffer& buffer : problem.buffers) buffer.pools = {};
  EXPECT_ERROR(check_limits(problem), "pool sram of 5 bytes is too small") << "rom takes none";
}

TEST(Limits, NameAHeavyCliqueWhereConflictsAreGiven) {
  PlanningProblem problem = three_buffers({{.name = "p", .limit_bytes = 35}});
  problem.conflicts = {{0, 1}, {1, 2}};
  EXPECT_EQ(heaviest_set(problem), (LiveSet{.bytes = 50, .time = {}, .buffers = {1, 2}}));
  EXPECT_ERROR(check_limits(problem),
               "pool p of 35 bytes is too small: 50 bytes conflict, 15 too many: b 30, c 20");
}

// Bytes enough, but apart: an alignment of 16 leaves 11 of them between a and b.
TEST(Limits, AreNamedWhereASearchFails) {
  const PlanningProblem problem{
      .buffers = {{.id = "a", .bytes = 5, .lifetime = {0, 3}, .alignment = 16},
                  {.id = "b", .bytes = 5, .lifetime = {0, 9}, .alignment = 16}},
      .pools = {{.name = "p", .limit_bytes = 19}}};
  EXPECT_ERROR(plan_memory(problem, "greedy_by_size"),
               "fits no pool: it would end at 21, 2 too many; expected at most 19 in pool p; "
               "at time 0 of 9, 10 bytes are alive: a 5, b 5");
  EXPECT_ERROR(plan_memory(problem, "exact"), "2 too many; expected at least 21; at time 0 of 9");
}

// No plan is lost: where limits are refused, the same buffers without limits need more.
RC_GTEST_PROP(Limits, AreRefusedOnlyWhereThePeakOfAnyPlanIsHigher, ()) {
  PlanningProblem problem =
      random_planning_problem(*rc::gen::inRange(1, 30), *rc::gen::inRange<uint64_t>(0, 1 << 20));
  const PlanningResult planned = right(plan_memory(problem, "greedy_by_size"));
  const std::vector<int64_t> peaks = pool_peaks(problem, planned.plan);
  for (size_t i = 0; i < peaks.size(); ++i) problem.pools[i].limit_bytes = peaks[i];
  RC_ASSERT(check_limits(problem).has_value());
  for (Pool& pool : problem.pools) pool.limit_bytes = *rc::gen::inRange<int64_t>(0, 40);
  const bool fits = plan_memory(problem, "greedy_by_conflicts").has_value();
  RC_ASSERT(!fits || check_limits(problem).has_value());
}

}  // namespace
}  // namespace dovetail::testing
