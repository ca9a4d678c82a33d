// SPDX-License-Identifier: Apache-2.0
#include "search/compare/statistics/interpolation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace dovetail {
namespace {

TEST(Interpolation, EvenlySpacedHoldsBothEnds) {
  EXPECT_EQ(evenly_spaced(1, 3, 5), (std::vector<double>{1, 1.5, 2, 2.5, 3}));
  EXPECT_EQ(evenly_spaced(1, 3, 1), (std::vector<double>{1}));
}

TEST(Interpolation, MonotoneCubicIsAsComputedByHand) {
  const std::vector<double> x = {0, 1, 3}, y = {4, 2, 2}, at = {0, 0.5, 1, 2, 3};
  const std::vector<double> curve = monotone_cubic(x, y, at);
  const std::vector<double> expected = {4, 8.0 / 3, 2, 2, 2};
  for (size_t k = 0; k < at.size(); ++k) EXPECT_NEAR(curve[k], expected[k], 1e-12);
}

TEST(Interpolation, MonotoneCubicOfTwoPointsIsALine) {
  const std::vector<double> x = {0, 2}, y = {4, 2}, at = {1};
  EXPECT_DOUBLE_EQ(monotone_cubic(x, y, at)[0], 3);
}

RC_GTEST_PROP(Interpolation, MonotoneCubicOfAFallingSequenceFalls, (std::vector<uint8_t> steps)) {
  RC_PRE(steps.size() >= 2);
  std::vector<double> x, y;
  double height = 1e5;
  for (const uint8_t step : steps) {
    x.push_back(x.empty() ? 0 : x.back() + 1 + step % 3);
    y.push_back(height -= step);
  }
  const std::vector<double> curve = monotone_cubic(x, y, evenly_spaced(x[0], x.back(), 200));
  for (size_t k = 1; k < curve.size(); ++k) RC_ASSERT(curve[k] <= curve[k - 1] + 1e-6);
}

TEST(Interpolation, FallingFitPoolsWhatRises) {
  const std::vector<double> at = {1, 2, 3, 4};
  EXPECT_EQ(falling_fit({{1, 5}, {2, 4}, {3, 6}, {4, 3}}, at), (std::vector<double>{5, 5, 5, 3}));
}

TEST(Interpolation, FallingFitIsLinearBetweenPointsAndConstantBeyond) {
  const std::vector<double> at = {0, 1.5, 9};
  EXPECT_EQ(falling_fit({{1, 5}, {2, 3}}, at), (std::vector<double>{5, 4, 3}));
}

TEST(Interpolation, FallingFitCountsAWeightOfTwoAsTwoSamples) {
  const std::vector<double> at = {1, 2, 3};
  EXPECT_EQ(falling_fit({{1, 4, 2}, {2, 7}, {3, 1}}, at),
            falling_fit({{1, 4}, {1, 4}, {2, 7}, {3, 1}}, at));
  EXPECT_EQ(falling_fit({{1, 4, 0}, {2, 7}, {3, 1}}, at), falling_fit({{2, 7}, {3, 1}}, at));
}

RC_GTEST_PROP(Interpolation, FallingFitFallsAndKeepsTheMean, (std::vector<uint8_t> values)) {
  RC_PRE(!values.empty());
  std::vector<Sample> samples;
  std::vector<double> at;
  double sum = 0, fitted = 0;
  for (const uint8_t value : values) {
    at.push_back(static_cast<double>(samples.size()));
    samples.push_back({at.back(), static_cast<double>(value)});
    sum += value;
  }
  const std::vector<double> fit = falling_fit(samples, at);
  for (const double value : fit) fitted += value;
  RC_ASSERT(std::ranges::is_sorted(fit, std::greater()));
  RC_ASSERT(std::abs(sum - fitted) < 1e-6 * (1 + sum));
}

}  // namespace
}  // namespace dovetail
