// SPDX-License-Identifier: Apache-2.0
#include "search/progress.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

// The first trial of a process takes ten times as long as the others.
TEST(EstimateRemainingSeconds, IsUnknownBeforeTheFirstResults) {
  EXPECT_EQ(estimate_remaining_seconds(1, 0.3, 100, std::nullopt), std::nullopt);
  EXPECT_EQ(estimate_remaining_seconds(0, 1.0, 100, std::nullopt), std::nullopt);
}

TEST(EstimateRemainingSeconds, ScalesTheTimeATrialTook) {
  EXPECT_EQ(estimate_remaining_seconds(10, 5.0, 100, std::nullopt), 50.0);
}

TEST(EstimateRemainingSeconds, IsCappedByTheTimeLimit) {
  EXPECT_EQ(estimate_remaining_seconds(10, 5.0, 100, 20.0), 20.0);
  EXPECT_EQ(estimate_remaining_seconds(0, 0.0, 100, 20.0), 20.0);
  EXPECT_EQ(estimate_remaining_seconds(10, 5.0, 100, -1.0), 0.0);
  EXPECT_EQ(estimate_remaining_seconds(2, 40.0, 1, -23.0), 0.0) << "long over";
}

}  // namespace
}  // namespace dovetail
