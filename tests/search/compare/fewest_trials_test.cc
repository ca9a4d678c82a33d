// SPDX-License-Identifier: Apache-2.0
#include "search/compare/fewest_trials.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

// Kernels of 1 to `size` us, in no order, whose evaluations cost 10 ms each.
std::vector<Evaluation> points_of(int size) {
  std::vector<Evaluation> points;
  for (int k = 0; k < size; ++k)
    points.push_back({.seconds = 1e-6 * (1 + k * 37 % size), .cost_seconds = 0.01});
  return points;
}

TrialsToCheck check_of(const std::vector<Evaluation>& points, int64_t trials) {
  return {.points = points, .trials = trials, .cutoff_start = 0.01, .cutoff_end = 0.95};
}

TEST(FewestTrials, AreThoseGivenWhereRunsHaveAScore) {
  const std::vector<Evaluation> points = points_of(400);
  EXPECT_EQ(*fewest_trials(check_of(points, 10)), 10);
}

// The first trial alone takes longer than the budget of 3 others.
TEST(FewestTrials, AreMoreWhereTheFirstOneCostsTheWholeBudget) {
  const std::vector<Evaluation> points = points_of(400);
  TrialsToCheck check = check_of(points, 3);
  check.first = {.seconds = points[0].seconds, .cost_seconds = 0.1};
  const int64_t fewest = *fewest_trials(check);
  EXPECT_GT(fewest, 9);  // 10 evaluations are 0.1 s
  EXPECT_LT(fewest, 16);
  check.trials = fewest;
  EXPECT_EQ(*fewest_trials(check), fewest);
  check.trials = fewest - 1;
  EXPECT_EQ(*fewest_trials(check), fewest) << "one less is too few";
}

// As on a machine that was busy for half of the measurements: the other half is nearly the optimum,
// and random search is there after two evaluations.
TEST(FewestTrials, AreThoseGivenWhereHalfOfTheSpaceIsNearlyTheOptimum) {
  std::vector<Evaluation> points = points_of(192);
  for (size_t k = 0; k < points.size(); ++k) {
    points[k].seconds = (k % 2 == 0 ? 1e-6 : 2e-6) + 1e-9 * static_cast<double>(k % 20);
    points[k].cost_seconds = k % 4 == 0 ? 0.05 : 0.01;
  }
  TrialsToCheck check = check_of(points, 60);
  check.first = {.seconds = points[0].seconds, .cost_seconds = 0.04};
  EXPECT_EQ(*fewest_trials(check), 60);
}

TEST(FewestTrials, AreNoneWhereTheFirstOneCostsAllThereIs) {
  const std::vector<Evaluation> points = points_of(400);
  TrialsToCheck check = check_of(points, 3);
  check.first = {.seconds = points[0].seconds, .cost_seconds = 100};
  EXPECT_ERROR(fewest_trials(check),
               "no number of trials is enough for a score on a space of 400 points");
}

TEST(FewestTrials, AreNoneWhereAllTimesAreEqual) {
  const std::vector<Evaluation> points(50, {.seconds = 1e-6, .cost_seconds = 0.01});
  EXPECT_ERROR(fewest_trials(check_of(points, 10)), "there is nothing to find");
}

}  // namespace
}  // namespace dovetail
