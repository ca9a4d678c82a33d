// SPDX-License-Identifier: Apache-2.0
#include "search/compare/compare_runs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/compare/arms.h"
#include "search/compare/simulate/space_from_records.h"
#include "search/compare/strategy_curve.h"
#include "tests/search/measured_space.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

// Evaluations of a millisecond each; 0: it failed.
StrategyRun run_of(const std::vector<double>& seconds) {
  StrategyRun run;
  for (const double value : seconds) {
    run.push_back(
        {.seconds = value > 0 ? std::optional(value) : std::nullopt, .cost_seconds = 1e-3});
  }
  return run;
}

TEST(BestSeries, IsTheMedianOfTheBestsSoFar) {
  const std::vector<StrategyRun> runs = {run_of({3, 3, 1}), run_of({4, 2, 5})};
  const Series series = best_over_trials(runs, 3);
  EXPECT_EQ(series.at, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(series.middle, (std::vector<double>{3.5, 2.5, 1.5}));
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_LE(series.low[k], series.middle[k]);
    EXPECT_GE(series.high[k], series.middle[k]);
  }
}

TEST(BestSeries, HasNothingBeforeTheFirstValidOneAndKeepsTheBestOfARunThatEnded) {
  const std::vector<StrategyRun> runs = {run_of({0, 2})};
  const Series series = best_over_trials(runs, 4);
  EXPECT_TRUE(std::isnan(series.middle[0]));
  EXPECT_EQ(series.middle[3], 2);
  const Series by_clock = best_over_seconds(runs, 4e-3, {.points = 5});
  EXPECT_TRUE(std::isnan(by_clock.middle[1]));
  EXPECT_EQ(by_clock.middle[2], 2);
}

// Two strategies on two tasks without a known optimum: one finds the best at once.
ComparisonInput live_input() {
  ComparisonInput input;
  input.about.kind = "live";
  input.about.score_is = "share_of_best";
  input.about.seeds = {0, 1, 2};
  input.about.resolution = 100;
  input.about.resamples = 200;
  input.about.confidence = 0.95;
  for (const char* name : {"a", "b"})
    input.spaces.push_back(
        {.about = {.name = name, .optimum_seconds = 1, .trials = 4}, .statistics = {}});
  const auto runs = [](const std::vector<double>& seconds) {
    return std::vector<RunToCompare>(3, {.evaluations = run_of(seconds)});
  };
  input.arms = {{.name = "good",
                 .strategy = {},
                 .cost_model = {},
                 .variant = {},
                 .runs = {runs({1, 2, 2, 2}), runs({1, 2, 2, 2})}},
                {.name = "bad",
                 .strategy = {},
                 .cost_model = {},
                 .variant = {},
                 .runs = {runs({0, 4, 2, 1}), runs({4, 4, 4, 4})}}};
  return input;
}

TEST(CompareRuns, ScoresByTheShareOfTheBestWhereNoOptimumIsKnown) {
  const Comparison comparison = *compare_runs(live_input());
  const ComparedStrategy &good = comparison.strategies[0], &bad = comparison.strategies[1];
  EXPECT_DOUBLE_EQ(*good.score, 1);
  EXPECT_DOUBLE_EQ(*bad.spaces[0].score, (0 + 0.25 + 0.5 + 1) / 4);
  EXPECT_DOUBLE_EQ(*bad.score, (1.75 / 4 + 0.25) / 2);
  EXPECT_EQ(good.trials_to_95, 1);
  EXPECT_EQ(good.geomean_best, 1);
  EXPECT_EQ(bad.geomean_best, 0.5);
  EXPECT_EQ(good.wins, 1);
  EXPECT_EQ(good.ties, 1);
  EXPECT_EQ(bad.losses, 1);
}

TEST(CompareRuns, SaysWhereTheBudgetStandsForRunsThatDidNotReachTheQuality) {
  const Comparison comparison = *compare_runs(live_input());
  EXPECT_FALSE(comparison.strategies[0].trials_to_95_is_lower_bound);
  const ComparedStrategy& bad = comparison.strategies[1];
  EXPECT_TRUE(bad.trials_to_95_is_lower_bound);
  EXPECT_EQ(bad.trials_to_95, 4);  // geometric mean: 4 and at least 4
  EXPECT_EQ(bad.spaces[0].quality[1].trials, 4);
  EXPECT_EQ(bad.spaces[1].quality[1].trials, std::nullopt);
  EXPECT_EQ(bad.quality[1].reached, 3);
  EXPECT_EQ(bad.quality[1].runs, 6);
}

TEST(CompareRuns, TestsEachPairOverTheSeedsOfAllSpaces) {
  const Comparison comparison = *compare_runs(live_input());
  ASSERT_EQ(comparison.pairs.size(), 1u);
  const PairTest& pair = comparison.pairs[0];
  EXPECT_EQ(pair.n, 6);
  EXPECT_DOUBLE_EQ(pair.p, 2.0 / 64);
  EXPECT_GT(pair.mean_difference, 0);
  EXPECT_EQ(comparison.ranks.average_ranks, (std::vector<double>{1, 2}));
}

TEST(CompareRuns, ScoresMeasuredSpacesByTheWayToTheOptimum) {
  const testing::ReducedMeasurements made = testing::reduced_product();
  const std::vector<Evaluation> points = evaluations_of(made.measured);
  const SpaceStatistics statistics = *space_statistics(points);
  ComparisonInput input = live_input();
  input.about.cutoff_start = 0.01;
  input.about.cutoff_end = 0.95;
  input.spaces = {{.about = {.name = "gmm", .optimum_seconds = statistics.optimum(), .trials = 40},
                   .statistics = statistics}};
  for (size_t arm = 0; arm < 2; ++arm) {
    input.arms[arm].runs.assign(1, {});
    for (size_t seed = 0; seed < 3; ++seed) {
      StrategyRun run(points.begin() + static_cast<ptrdiff_t>(60 * seed),
                      points.begin() + static_cast<ptrdiff_t>(60 * seed + 60));
      if (arm == 0) run[0].seconds = statistics.optimum();
      input.arms[arm].runs[0].push_back({.evaluations = std::move(run)});
    }
  }
  const Result<Comparison> comparison = compare_runs(input);
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_GT(*comparison->strategies[0].score, 0.9);  // the optimum at once
  EXPECT_LT(*comparison->strategies[1].score, *comparison->strategies[0].score);
  EXPECT_GT(comparison->spaces[0].last_seconds, comparison->spaces[0].first_seconds);
}

TEST(Comparison, ParsesWhatItPrints) {
  const Comparison comparison = *compare_runs(live_input());
  const std::string text = print_json(comparison);
  const Result<Comparison> read = parse_comparison(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(print_json(*read), text);
  EXPECT_TRUE(std::isnan(read->strategies[1].spaces[0].over_trials.middle[0]));
}

TEST(Comparison, NamesTheFieldThatIsMissingOrWrong) {
  std::string text = print_json(*compare_runs(live_input()));
  text.replace(text.find("\"wins\":1"), 8, "\"wins\":\"\"");
  EXPECT_ERROR(parse_comparison(text), "field strategies[0].wins: found \"\", expected an integer");
  EXPECT_ERROR(parse_comparison("{}"), "field version: missing; expected an integer");
}

TEST(Arms, AreSeparatedByCommasAsTheirOptionsAre) {
  const std::vector<Arm> arms = *parse_arms(
      "random@none,evolutionary:population=16,parents=4,descent@roofline@loop_only=nhwo", "random");
  ASSERT_EQ(arms.size(), 3u);
  EXPECT_EQ(arms[0].cost_model, "none");
  EXPECT_EQ(arms[1].name, "evolutionary:population=16,parents=4");
  EXPECT_EQ(arms[1].strategy.options.at("parents"), "4");
  EXPECT_EQ(arms[1].cost_model, "random");
  EXPECT_EQ(arms[2].variant, "loop_only");
  EXPECT_EQ(arms[2].layout, "nhwo");
  EXPECT_EQ(parse_arms("random@unfused", "none")->at(0).variant, "unfused");
}

TEST(Arms, MayBeAProgramWithACommaOrAnAtSignInItsCommand) {
  const std::vector<Arm> named =
      *parse_arms("ga=exec:python3 ga.py a,b@none,wide=evolutionary:population=64,random", "none");
  ASSERT_EQ(named.size(), 3u);
  EXPECT_EQ(named[0].name, "ga");
  EXPECT_EQ(print(named[0].strategy), "exec:python3 ga.py a,b");
  EXPECT_EQ(named[1].name, "wide");
  EXPECT_EQ(named[1].strategy, *parse_strategy("evolutionary:population=64"));
  EXPECT_EQ(named[2].name, "random");
  EXPECT_ERROR(parse_arms("a=random,a=descent", "none"), "strategy a is given twice");
  const std::vector<Arm> arms = *parse_arms("exec:mine a,b me@home,random@none", "none");
  ASSERT_EQ(arms.size(), 2u);
  EXPECT_EQ(print(arms[0].strategy), "exec:mine a,b me@home");
}

TEST(Arms, AreRefusedWithWhatIsWrong) {
  EXPECT_ERROR(parse_arms("random,luck", "none"), "unknown strategy 'luck'");
  EXPECT_ERROR(parse_arms("random@often", "none"), "unknown '@often'; expected a cost model");
  EXPECT_ERROR(parse_arms("random,random", "none"), "strategy random is given twice");
  EXPECT_ERROR(parse_arms("random@warm", "none"), "cost model none learns nothing");
  EXPECT_TRUE((*parse_arms("ppo@none@warm", "none"))[0].warm);  // its agent learns
}

}  // namespace
}  // namespace dovetail
