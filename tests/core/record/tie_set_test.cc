// SPDX-License-Identifier: Apache-2.0
#include "core/record/tie_set.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(MedianInterval, OfFewSamplesIsTheirRange) {
  EXPECT_EQ(median_interval({3, 1, 2}), (std::pair<double, double>(1, 3)));
  EXPECT_EQ(median_interval({}), (std::pair<double, double>(0, 0)));
}

TEST(MedianInterval, OfManySamplesLeavesTheTailsOut) {
  std::vector<double> samples;
  for (int i = 1; i <= 100; ++i) samples.push_back(i);
  const auto [low, high] = median_interval(samples);
  EXPECT_GE(low, 38);  // ranks 40 and 61 of 100 hold the median in 95 % of all cases
  EXPECT_LE(low, 41);
  EXPECT_GE(high, 60);
  EXPECT_LE(high, 63);
}

TEST(AreTied, WhenTheIntervalsOverlap) {
  const std::vector<double> fast{1.00, 1.01, 1.02}, close{1.01, 1.015, 1.03},
      slow{1.03, 1.035, 1.04};
  EXPECT_TRUE(are_tied(fast, close));
  EXPECT_FALSE(are_tied(fast, slow));
}

TEST(AreTied, NeverWhenTheMediansAreFarApart) {
  const std::vector<double> noisy{0.5, 1.0, 2.0}, slower{0.6, 1.1, 2.0};
  EXPECT_FALSE(are_tied(noisy, slower));
}

TEST(AreTied, NotWithoutSamples) { EXPECT_FALSE(are_tied({}, {})); }

}  // namespace
}  // namespace dovetail
