// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/arm_shares.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace dovetail {
namespace {

TEST(ArmShares, AreEqualAtFirstAndAddUpToOne) {
  ArmShares shares(4, {.least = 0.1, .fade = 0.8});
  for (const double share : shares.shares()) EXPECT_DOUBLE_EQ(share, 0.25);
  shares.settle(1, 0.3);
  shares.settle(2, 0);
  const std::vector<double> after = shares.shares();
  EXPECT_NEAR(std::accumulate(after.begin(), after.end(), 0.0), 1, 1e-12);
}

TEST(ArmShares, GrowWithGainsAndShrinkWithResultsWithoutOne) {
  ArmShares shares(3, {.least = 0.1, .fade = 0.8});
  shares.settle(0, 0.3);
  shares.settle(1, 0);
  const std::vector<double> after = shares.shares();
  EXPECT_GT(after[0], after[2]);
  EXPECT_GT(after[2], after[1]);
}

TEST(ArmShares, NeverFallBelowTheLeast) {
  ArmShares shares(2, {.least = 0.2, .fade = 1});
  for (int i = 0; i < 1000; ++i) shares.settle(0, 1);
  for (int i = 0; i < 1000; ++i) shares.settle(1, 0);
  EXPECT_GE(shares.shares()[1], 0.2);
  EXPECT_GT(shares.shares()[0], 0.79);
}

TEST(ArmShares, ForgetWhatWasLongAgo) {
  ArmShares shares(2, {.least = 0, .fade = 0.5});
  shares.settle(0, 1);
  for (int round = 0; round < 60; ++round) shares.fade();
  EXPECT_NEAR(shares.shares()[0], 0.5, 1e-6);
}

TEST(ArmShares, AreWhatIsDrawnAmongThoseThatAreOpen) {
  ArmShares shares(3, {.least = 0.1, .fade = 1});
  shares.settle(1, 0.5);
  std::mt19937_64 rng(7);
  std::array<double, 3> drawn{};
  for (int i = 0; i < 4000; ++i) drawn[shares.draw(rng, {true, true, true})] += 1.0 / 4000;
  for (size_t arm = 0; arm < 3; ++arm) EXPECT_NEAR(drawn[arm], shares.shares()[arm], 0.03);
  for (int i = 0; i < 100; ++i) EXPECT_NE(shares.draw(rng, {true, false, true}), 1u);
  EXPECT_EQ(shares.draw(rng, {false, false, true}), 2u);
}

}  // namespace
}  // namespace dovetail
