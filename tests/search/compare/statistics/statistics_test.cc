// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "search/compare/statistics/bootstrap.h"
#include "search/compare/statistics/distributions.h"
#include "search/compare/statistics/rank_tests.h"
#include "search/compare/strategy_curve.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;

// scipy computed these numbers (make_statistics_data.py).
const Json& scipy() {
  static const Json kData =
      Json::parse(testing::source_file("tests/search/compare/data/statistics.json"));
  return kData;
}

TEST(Distributions, AreTheTextbooks) {
  EXPECT_NEAR(normal_cdf(1.959963984540054), 0.975, 1e-12);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(chi_squared_tail(3.841458820694124, 1), 0.05, 1e-12);
  EXPECT_NEAR(chi_squared_tail(0, 3), 1, 1e-12);
}

TEST(Wilcoxon, CountsSignPatternsAsByHand) {
  const WilcoxonTest test = wilcoxon_signed_rank(std::vector<double>{0.3, -0.1, 0.2, 0.4});
  EXPECT_EQ(test.n, 4U);
  EXPECT_EQ(test.positive_ranks, 9);
  EXPECT_EQ(test.negative_ranks, 1);
  EXPECT_DOUBLE_EQ(test.p, 0.25);
}

TEST(Wilcoxon, IsScipysForSmallAndLargeSamplesWithAndWithoutTies) {
  for (const Json& expected : scipy()["wilcoxon"]) {
    SCOPED_TRACE(expected["name"].get<std::string>());
    const WilcoxonTest test =
        wilcoxon_signed_rank(expected["differences"].get<std::vector<double>>());
    EXPECT_DOUBLE_EQ(std::min(test.positive_ranks, test.negative_ranks),
                     expected["statistic"].get<double>());
    EXPECT_NEAR(test.p, expected["p"].get<double>(), 1e-9);
  }
}

TEST(Wilcoxon, OfNoDifferencesSaysNothing) {
  EXPECT_EQ(wilcoxon_signed_rank(std::vector<double>{0, 0}).p, 1);
  EXPECT_EQ(wilcoxon_signed_rank(std::vector<double>{}).n, 0U);
}

RC_GTEST_PROP(Wilcoxon, IsTheSameInWhateverOrderAndWithWhateverSign,
              (const std::vector<int16_t>& values)) {
  std::vector<double> differences(values.begin(), values.end());
  const WilcoxonTest test = wilcoxon_signed_rank(differences);
  RC_ASSERT(test.p > 0 && test.p <= 1);
  std::ranges::reverse(differences);
  for (double& difference : differences) difference = -difference;
  const WilcoxonTest other = wilcoxon_signed_rank(differences);
  RC_ASSERT(other.p == test.p);
  RC_ASSERT(other.positive_ranks == test.negative_ranks);
}

TEST(Holm, StepsDownAndNeverFalls) {
  EXPECT_EQ(holm(std::vector<double>{0.01, 0.04, 0.03}), (std::vector<double>{0.03, 0.06, 0.06}));
  EXPECT_EQ(holm(std::vector<double>{0.6, 0.7}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm(std::vector<double>{}).empty());
}

TEST(Friedman, IsAsComputedByHand) {
  const std::vector<std::vector<double>> scores = {
      {0.9, 0.5, 0.1}, {0.8, 0.9, 0.2}, {0.7, 0.6, 0.3}};
  const FriedmanTest test = *friedman(scores);
  EXPECT_NEAR(test.average_ranks[0], 4.0 / 3, 1e-12);
  EXPECT_NEAR(test.average_ranks[2], 3, 1e-12);
  EXPECT_NEAR(test.statistic, 14.0 / 3, 1e-12);
  EXPECT_NEAR(test.p, 0.097, 0.0005);
}

TEST(Friedman, IsScipysWithAndWithoutTies) {
  for (const Json& expected : scipy()["friedman"]) {
    const FriedmanTest test = *friedman(expected["scores"].get<std::vector<std::vector<double>>>());
    EXPECT_NEAR(test.statistic, expected["statistic"].get<double>(), 1e-9);
    EXPECT_NEAR(test.p, expected["p"].get<double>(), 1e-9);
    for (size_t k = 0; k < test.average_ranks.size(); ++k)
      EXPECT_NEAR(test.average_ranks[k], expected["ranks"][k].get<double>(), 1e-9);
  }
}

TEST(Friedman, CriticalDifferencesAreScipys) {
  const std::vector<double> q = scipy()["nemenyi_q05"].get<std::vector<double>>();
  for (size_t methods = 2; methods <= 20; ++methods) {
    const std::vector<std::vector<double>> scores(6, std::vector<double>(methods, 1));
    const auto k = static_cast<double>(methods);
    EXPECT_NEAR(friedman(scores)->critical_difference, q[methods - 2] * std::sqrt(k * (k + 1) / 36),
                1e-5);
  }
}

TEST(Friedman, OfEqualScoresSaysNothing) {
  const std::vector<std::vector<double>> scores(4, std::vector<double>(3, 0.5));
  EXPECT_EQ(friedman(scores)->p, 1);
  EXPECT_EQ(friedman(scores)->average_ranks, (std::vector<double>{2, 2, 2}));
}

TEST(Friedman, RefusesWhatIsNoTable) {
  EXPECT_ERROR(friedman(std::vector<std::vector<double>>(1, std::vector<double>(3, 1))),
               "1 problems and 3 methods, expected 2 problems at least and 2 to 20 methods");
  std::vector<std::vector<double>> scores(3, std::vector<double>(3, 1));
  scores[1].pop_back();
  EXPECT_ERROR(friedman(scores), "problem 2 has 2 scores, expected 3: one for each method");
}

TEST(Friedman, GroupsAreTheLongestOnesWithinTheCriticalDifference) {
  using Groups = std::vector<TiedGroup>;
  EXPECT_EQ(tied_groups({1, 1.5, 2.2, 4}, 1), (Groups{{0, 1}, {1, 2}}));
  EXPECT_EQ(tied_groups({4, 2.2, 1.5, 1}, 3), (Groups{{0, 3}}));
  EXPECT_EQ(tied_groups({1, 3, 5}, 1), Groups{});
}

TEST(Bootstrap, IntervalsAreScipys) {
  const std::vector<double> sample = scipy()["bootstrap"]["sample"].get<std::vector<double>>();
  const std::pair<BootstrapMethod, const char*> methods[] = {
      {BootstrapMethod::percentile, "percentile"}, {BootstrapMethod::bca, "BCa"}};
  for (const auto& [method, name] : methods) {
    SCOPED_TRACE(name);
    const Interval interval =
        bootstrap_mean(sample, {.resamples = 50'000, .seed = 3, .method = method});
    const double width = 0.84;  // both have other draws: within 2 % of the interval's width
    EXPECT_NEAR(interval.low, scipy()["bootstrap"][name][0].get<double>(), 0.02 * width);
    EXPECT_NEAR(interval.high, scipy()["bootstrap"][name][1].get<double>(), 0.02 * width);
  }
}

TEST(Bootstrap, IsTheSameForTheSameSeedOnly) {
  const std::vector<double> sample = {1, 2, 4, 8, 16, 32, 64};
  const auto interval = [&](uint64_t seed) {
    return bootstrap_mean(sample, {.resamples = 100, .seed = seed});
  };
  EXPECT_EQ(interval(1), interval(1));
  EXPECT_FALSE(interval(1) == interval(2));
}

TEST(Bootstrap, OfEqualValuesIsThatValue) {
  EXPECT_EQ(bootstrap_mean(std::vector<double>{3, 3, 3}), (Interval{3, 3}));
}

TEST(Bootstrap, DrawsEachStratumWithinItself) {
  const std::vector<size_t> strata = {2, 3};
  const auto check = [](std::span<const double> counts) {
    EXPECT_EQ(counts[0] + counts[1], 2);
    EXPECT_EQ(counts[2] + counts[3] + counts[4], 3);
    return counts[0];
  };
  const Interval interval =
      bootstrap_interval(strata, check, {.resamples = 200, .method = BootstrapMethod::percentile});
  EXPECT_EQ(interval, (Interval{0, 2}));
}

TEST(Bootstrap, QuantilesAreLinearBetweenValues) {
  const std::vector<double> sorted = {1, 2, 4};
  EXPECT_DOUBLE_EQ(quantile_of_sorted(sorted, 0.75), 3);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(sorted, 1), 4);
}

StrategyRun run_in_microseconds(const std::vector<double>& microseconds) {
  StrategyRun run;
  for (const double us : microseconds) run.push_back({.seconds = us * 1e-6, .cost_seconds = 0.5});
  return run;
}

TEST(TimeToQuality, IsTheFirstEvaluationWithinTheShare) {
  const StrategyRun run = run_in_microseconds({3, 1.2, 1.04, 1});
  EXPECT_EQ(time_to_quality(run, 1e-6, 0.95), (TimedTrial{3, 1.5, 1.04e-6}));
  EXPECT_EQ(time_to_quality(run, 1e-6, 0.99), (TimedTrial{4, 2.0, 1e-6}));
  EXPECT_EQ(time_to_quality(run_in_microseconds({3, 2}), 1e-6, 0.9), std::nullopt);
}

TEST(TimeToQuality, AMedianIsUnknownWhereHalfOfTheRunsAreCensored) {
  const std::vector<StrategyRun> runs = {run_in_microseconds({1}), run_in_microseconds({2, 1}),
                                         run_in_microseconds({2, 2})};
  const QualityReached most = summarize_quality(runs, 1e-6, 0.95);
  EXPECT_EQ(most.reached, 2);
  EXPECT_EQ(most.trials, 2);
  EXPECT_EQ(most.seconds, 1.0);
  const QualityReached half = summarize_quality(std::span(runs).subspan(1), 1e-6, 0.95);
  EXPECT_EQ(half.trials, std::nullopt);
}

}  // namespace
}  // namespace dovetail
