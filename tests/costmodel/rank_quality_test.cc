// SPDX-License-Identifier: Apache-2.0
#include "costmodel/rank_quality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace dovetail {
namespace {

using Scores = std::vector<double>;
using Seconds = std::vector<std::optional<double>>;

// The example of the header.
TEST(RankQuality, OfOneSwappedPair) {
  const RankQuality quality =
      rank_quality(Scores{0.9, 0.7, 0.4, 0.1}, Seconds{2e-6, 1e-6, 3e-6, 4e-6});
  EXPECT_EQ(quality.top_1_recall, 0);
  EXPECT_EQ(quality.top_5_recall, 1);
  EXPECT_NEAR(quality.kendall_tau, 4.0 / 6, 1e-12);  // five pairs agree, one does not
  EXPECT_NEAR(quality.top_1_speed, 0.5, 1e-12);
}

TEST(RankQuality, OfARightAndOfAReversedOrder) {
  EXPECT_EQ(kendall_tau(Scores{3, 2, 1}, Seconds{1, 2, 3}), 1);
  EXPECT_EQ(kendall_tau(Scores{1, 2, 3}, Seconds{1, 2, 3}), -1);
}

// x = 1 2 2 3, y = 1 2 3 3: four pairs agree, one is tied in x, one in y: 4 / sqrt(5 * 5).
TEST(RankQuality, TiesAreThoseOfTauB) {
  EXPECT_NEAR(kendall_tau(Scores{1, 2, 2, 3}, Seconds{1.0, 1.0 / 2, 1.0 / 3, 1.0 / 3}), 0.8, 1e-12);
}

TEST(RankQuality, AllTiesSayNothing) {
  const RankQuality quality = rank_quality(Scores(10, 0.5), Seconds{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_EQ(quality.kendall_tau, 0);
  EXPECT_NEAR(quality.top_1_recall, 0.1, 1e-12);  // what a random order has on average
  EXPECT_NEAR(quality.top_5_recall, 0.5, 1e-12);
}

TEST(RankQuality, TopFiveCountsTheShareThatWasFound) {
  const Seconds seconds{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_NEAR(top_recall(Scores{10, 9, 8, 1, 1, 7, 6, 0, 0, 0}, seconds, 5), 0.6, 1e-12);
  EXPECT_EQ(top_recall(Scores{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, seconds, 5), 0);
}

TEST(RankQuality, ATieAtTheCutIsShared) {
  // One place is left after the first; one of the two that tie for it is the second fastest.
  EXPECT_NEAR(top_recall(Scores{9, 5, 5, 1}, Seconds{1, 2, 3, 4}, 2), 0.75, 1e-12);
}

TEST(RankQuality, AFailureIsSlowerThanAllOthers) {
  EXPECT_EQ(kendall_tau(Scores{3, 2, 1}, Seconds{1, 2, std::nullopt}), 1);
  EXPECT_EQ(rank_quality(Scores{3, 2, 1}, Seconds{std::nullopt, 2, 1}).top_1_speed, 0);
}

TEST(RankQuality, WithoutAValidCandidateIsNothing) {
  EXPECT_EQ(rank_quality(Scores{}, Seconds{}), RankQuality{});
  EXPECT_EQ(rank_quality(Scores{1, 2}, Seconds{std::nullopt, std::nullopt}), RankQuality{});
}

}  // namespace
}  // namespace dovetail
