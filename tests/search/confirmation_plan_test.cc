// SPDX-License-Identifier: Apache-2.0
#include "search/confirmation_plan.h"

#include <gtest/gtest.h>

#include <limits>

namespace dovetail {
namespace {

// Two contenders and the default trace; a pass takes 6 s.
const ConfirmationCosts kCosts{
    .finalists = {1, 2, 3}, .contenders = 2, .passes = 3, .reference_seconds = 10};

TEST(ConfirmationPlan, IsWholeWithoutALimit) {
  EXPECT_EQ(plan_confirmation(kCosts, std::numeric_limits<double>::infinity()),
            (ConfirmationPlan{.contenders = 2, .passes = 3, .thorough = true, .seconds = 34}));
  EXPECT_EQ(plan_confirmation(kCosts, 34).passes, 3);
}

TEST(ConfirmationPlan, LeavesOutPassesThenFinalistsThenRealData) {
  EXPECT_EQ(plan_confirmation(kCosts, 33),
            (ConfirmationPlan{.contenders = 2, .passes = 2, .thorough = true, .seconds = 28}));
  EXPECT_EQ(plan_confirmation(kCosts, 22),
            (ConfirmationPlan{.contenders = 2, .passes = 1, .thorough = true, .seconds = 22}));
  EXPECT_EQ(plan_confirmation(kCosts, 18),
            (ConfirmationPlan{.contenders = 1, .passes = 1, .thorough = true, .seconds = 18}));
  EXPECT_EQ(plan_confirmation(kCosts, 6),
            (ConfirmationPlan{.contenders = 2, .passes = 1, .thorough = false, .seconds = 6}));
  EXPECT_EQ(plan_confirmation(kCosts, 5),
            (ConfirmationPlan{.contenders = 1, .passes = 1, .thorough = false, .seconds = 4}));
}

TEST(ConfirmationPlan, IsNoneWhereNothingFitsAndSaysWhatItWouldTake) {
  EXPECT_EQ(plan_confirmation(kCosts, 3),
            (ConfirmationPlan{.contenders = 0, .passes = 0, .thorough = false, .seconds = 4}));
}

}  // namespace
}  // namespace dovetail
