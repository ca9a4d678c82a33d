// SPDX-License-Identifier: Apache-2.0
#include "core/memory/validator/validate_plan.h"

#include <gtest/gtest.h>

#include "tests/core/memory/planning_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

// a and b in the same bytes, one after the other; c below both.
PlanningProblem three_buffers() {
  return {.buffers = {{.id = "a", .bytes = 4, .lifetime = {0, 3}},
                      {.id = "b", .bytes = 4, .lifetime = {3, 9}},
                      {.id = "c", .bytes = 4, .lifetime = {0, 9}, .alignment = 2}}};
}
Plan right_plan() { return {{{0, 4}, {0, 4}, {0, 0}}}; }

TEST(ValidatePlan, TakesARightPlan) {
  EXPECT_TRUE(validate_plan(three_buffers(), right_plan()).has_value());
}

TEST(ValidatePlan, FindsWhatOverlapsFromBelowAndFromAbove) {
  for (const int64_t offset : {2, 4, 6}) {
    Plan plan = right_plan();
    plan.placements[2].offset = offset;
    EXPECT_ERROR(validate_plan(three_buffers(), plan), "share bytes");
  }
  Plan plan = right_plan();
  plan.placements[1].offset = 3;
  EXPECT_ERROR(validate_plan(three_buffers(), plan),
               "buffers b and c share bytes 3 to 4 of pool default");
}

TEST(ValidatePlan, FindsConflictsInEitherDirection) {
  PlanningProblem problem = three_buffers();
  EXPECT_TRUE(validate_plan(problem, right_plan()).has_value());
  for (const ConflictPair& pair : {ConflictPair{0, 1}, ConflictPair{1, 0}}) {
    problem.conflicts = {{pair}};
    EXPECT_ERROR(validate_plan(problem, right_plan()), "buffers a and b share bytes 4 to 8");
  }
}

TEST(ValidatePlan, FindsOffsetsThatMayNotBe) {
  Plan plan = right_plan();
  plan.placements[2].offset = 9;
  EXPECT_ERROR(validate_plan(three_buffers(), plan), "buffer c: offset 9 found; expected a multi");
  plan.placements[2].offset = -2;
  EXPECT_ERROR(validate_plan(three_buffers(), plan), "offset -2 found; expected 0 or more");
  PlanningProblem problem = three_buffers();
  problem.buffers[0].offset = 8;
  EXPECT_ERROR(validate_plan(problem, right_plan()), "expected its fixed offset 8");
}

TEST(ValidatePlan, FindsPoolsThatMayNotBe) {
  PlanningProblem problem = three_buffers();
  problem.pools = {{.name = "small", .limit_bytes = 7}, {.name = "rom", .access = PoolAccess::ro}};
  EXPECT_ERROR(validate_plan(problem, right_plan()), "leaves pool small of 7 bytes");
  Plan plan = right_plan();
  plan.placements[0].pool = 2;
  EXPECT_ERROR(validate_plan(problem, plan), "buffer a: pool number 2 found; expected 0 to 1");
  plan.placements[0].pool = 1;
  EXPECT_ERROR(validate_plan(problem, plan), "buffer a is written, and pool rom is read-only");
  problem.buffers[0].pools = {0};
  EXPECT_ERROR(validate_plan(problem, plan), "buffer a lies in pool rom, which is none of its");
}

TEST(ValidatePlan, FindsThatBuffersAreMissing) {
  EXPECT_ERROR(validate_plan(three_buffers(), {}), "a plan of 0 placements found; expected one");
}

}  // namespace
}  // namespace dovetail::testing
