// SPDX-License-Identifier: Apache-2.0
#include "core/base/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace dovetail {
namespace {

TEST(Timing, MedianIsTheMiddleOne) {
  EXPECT_EQ(median(std::vector<double>{}), 0);
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
}

TEST(MedianInterval, OfFewSamplesIsTheirRange) {
  EXPECT_EQ(median_interval(std::vector<double>{3, 1, 2}), (std::pair<double, double>(1, 3)));
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

}  // namespace
}  // namespace dovetail
