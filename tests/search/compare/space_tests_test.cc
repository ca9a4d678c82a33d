// SPDX-License-Identifier: Apache-2.0
#include "search/compare/space_tests.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

ComparedStrategy strategy(const std::string& name, const std::vector<std::vector<double>>& runs) {
  ComparedStrategy of;
  of.name = name;
  for (const std::vector<double>& scores : runs)
    of.spaces.push_back(StrategyOnSpace{.run_scores = scores});
  return of;
}

Comparison three_spaces() {
  Comparison comparison;
  comparison.strategies = {
      strategy("a", {{0.50, 0.54, 0.61}, {0.33, 0.35, 0.36}, {0.71, 0.70, 0.66}}),
      strategy("b", {{0.40, 0.41, 0.47}, {0.37, 0.31, 0.33}, {0.69, 0.60, 0.65}})};
  comparison.pairs = {{.a = "a", .b = "b"}};
  return comparison;
}

TEST(SpaceTests, CountEachSpaceOnceByItsMedians) {
  const std::vector<SpaceTest> tests = test_over_spaces(three_spaces());
  ASSERT_EQ(tests.size(), 1U);
  EXPECT_NEAR(tests[0].median_difference, 0.05, 1e-12);
  EXPECT_DOUBLE_EQ(tests[0].p, 0.25) << "the least of three spaces: 2 of 8 sign patterns";
}

// Two spaces lean a little to b, in every run; one by far to a.
TEST(SpaceTests, SayWhichWayTheRunsPoint) {
  Comparison comparison;
  comparison.strategies = {
      strategy("a", {{0.30, 0.31, 0.32}, {0.40, 0.41, 0.42}, {0.90, 0.91, 0.93}}),
      strategy("b", {{0.31, 0.33, 0.35}, {0.41, 0.43, 0.46}, {0.10, 0.12, 0.13}})};
  comparison.pairs = {{.a = "a", .b = "b"}};
  const SpaceTest test = test_over_spaces(comparison)[0];
  EXPECT_LT(test.median_difference, 0);
  EXPECT_NEAR(test.run_effect, (24.0 - 21.0) / 45, 1e-12);  // ranks 7, 8, 9 for a, 1 to 6 for b
}

TEST(SpaceTests, MoreRunsOfASpaceAreNoMoreEvidence) {
  Comparison comparison = three_spaces();
  for (ComparedStrategy& of : comparison.strategies)
    for (StrategyOnSpace& on : of.spaces)
      for (int i = 0; i < 6; ++i)
        on.run_scores.insert(on.run_scores.end(), on.run_scores.begin(), on.run_scores.begin() + 3);
  EXPECT_DOUBLE_EQ(test_over_spaces(comparison)[0].p, 0.25);
}

TEST(SpaceTests, AreCorrectedForAllPairs) {
  Comparison comparison = three_spaces();
  comparison.strategies.push_back(comparison.strategies[0]);
  comparison.strategies[2].name = "c";
  comparison.pairs = {{.a = "a", .b = "b"}, {.a = "a", .b = "c"}, {.a = "b", .b = "c"}};
  const std::vector<SpaceTest> tests = test_over_spaces(comparison);
  EXPECT_DOUBLE_EQ(tests[0].p_holm, 0.75);
  EXPECT_DOUBLE_EQ(tests[1].p, 1) << "no difference on any space";
  EXPECT_DOUBLE_EQ(tests[2].p_holm, 0.75);
}

TEST(SpaceTests, OfAStrategyThatIsNotThereHaveNoSample) {
  Comparison comparison = three_spaces();
  comparison.pairs = {{.a = "a", .b = "gone"}};
  EXPECT_DOUBLE_EQ(test_over_spaces(comparison)[0].p, 1);
}

}  // namespace
}  // namespace dovetail
