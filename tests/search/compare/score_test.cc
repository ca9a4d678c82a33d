// SPDX-License-Identifier: Apache-2.0
#include "search/compare/score.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "search/compare/statistics/interpolation.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;

// The Python package computed these numbers (make_score_data.py).
const Json& published() {
  static const Json kData =
      Json::parse(testing::source_file("tests/search/compare/data/score.json"));
  return kData;
}

std::vector<Evaluation> points_of(const Json& space) {
  std::vector<Evaluation> points;
  for (size_t k = 0; k < space["seconds"].size(); ++k) {
    Evaluation point{.cost_seconds = space["cost_seconds"][k]};
    if (!space["seconds"][k].is_null()) point.seconds = space["seconds"][k].get<double>();
    points.push_back(point);
  }
  return points;
}

std::vector<StrategyRun> runs_of(const Json& space, const std::string& strategy) {
  const std::vector<Evaluation> points = points_of(space);
  std::vector<StrategyRun> runs;
  for (const Json& indices : space["runs"][strategy]) {
    StrategyRun run;
    for (const Json& index : indices) run.push_back(points[index.get<size_t>()]);
    runs.push_back(std::move(run));
  }
  return runs;
}

ScoreOptions published_options() {
  return {.budget = {.cutoff_start = published()["cutoff_start"],
                     .cutoff_end = published()["cutoff_end"]},
          .resolution = published()["resolution"]};
}

const std::vector<std::string> kStrategies = {"random", "biased", "strong"};

// Times of kernels are around 1e-4 s, so that they are compared relative to them.
void expect_near(const std::vector<double>& actual, const Json& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t k = 0; k < actual.size(); ++k)
    EXPECT_NEAR(actual[k] / expected[k].get<double>(), 1, 1e-9) << "at point " << k;
}

TEST(PublishedScore, StatisticsAndBudgetAreThePackages) {
  for (const Json& space : published()["spaces"]) {
    const Json& expected = space["expected"];
    const SpaceStatistics statistics = *space_statistics(points_of(space));
    EXPECT_EQ(statistics.optimum(), expected["optimum"].get<double>());
    EXPECT_NEAR(statistics.median_seconds, expected["median"].get<double>(), 1e-15);
    EXPECT_NEAR(statistics.median_cost_seconds, expected["median_cost"].get<double>(), 1e-12);
    EXPECT_NEAR(statistics.mean_cost_seconds, expected["mean_cost_per_evaluation"].get<double>(),
                1e-12);
    const Budget budget = *comparison_budget(statistics, published_options().budget);
    EXPECT_EQ(budget.first_evaluations, expected["first_evaluations"].get<int64_t>());
    EXPECT_EQ(budget.last_evaluations, expected["last_evaluations"].get<int64_t>());
    EXPECT_NEAR(budget.first_seconds, expected["first_seconds"].get<double>(), 1e-12);
    EXPECT_NEAR(budget.last_seconds, expected["last_seconds"].get<double>(), 1e-12);
  }
}

TEST(PublishedScore, RandomSearchIsThePackages) {
  for (const Json& space : published()["spaces"]) {
    const Json& expected = space["expected"];
    const SpaceStatistics statistics = *space_statistics(points_of(space));
    const Budget budget = *comparison_budget(statistics, published_options().budget);
    std::vector<int64_t> evaluations;
    for (int64_t k = budget.first_evaluations; k <= budget.last_evaluations; ++k)
      evaluations.push_back(k);
    expect_near(random_over_evaluations(statistics, evaluations),
                expected["random_over_evaluations"]);
    const std::vector<double> times =
        evenly_spaced(budget.first_seconds, budget.last_seconds, published_options().resolution);
    expect_near(random_over_time(statistics, times), expected["random_over_time"]);
  }
}

TEST(PublishedScore, CurvesOverTimeAndTheirScoresAreThePackages) {
  for (const Json& space : published()["spaces"]) {
    const SpaceStatistics statistics = *space_statistics(points_of(space));
    for (const std::string& strategy : kStrategies) {
      SCOPED_TRACE(strategy);
      const Json& expected = space["expected"]["strategies"][strategy];
      const SpaceScore pooled =
          *score_on_space(statistics, runs_of(space, strategy), published_options());
      expect_near(pooled.strategy_seconds, expected["pooled_over_time"]);
      EXPECT_NEAR(pooled.score(), expected["pooled_score"].get<double>(), 1e-6);
    }
  }
}

double mean_score(const std::vector<SpaceScore>& scores) {
  double sum = 0;
  for (const SpaceScore& score : scores) sum += score.score();
  return sum / static_cast<double>(scores.size());
}

TEST(PublishedScore, OverSpacesItIsThePackagesAndWhatItsBagsScatterAround) {
  for (const std::string& strategy : kStrategies) {
    SCOPED_TRACE(strategy);
    std::vector<SpaceScore> scores;
    for (const Json& space : published()["spaces"]) {
      scores.push_back(*score_on_space(*space_statistics(points_of(space)),
                                       runs_of(space, strategy), published_options()));
    }
    const Json& expected = published()["aggregate"][strategy];
    const double score = mean_score(scores);
    EXPECT_NEAR(score, expected["pooled_score"].get<double>(), 1e-6);
    EXPECT_NEAR(score, expected["bagged_mean"].get<double>(),
                2 * expected["bagged_deviation"].get<double>());
  }
}

// All points cost alike; their times lie apart.
std::vector<Evaluation> made_up_points(int count = 400) {
  std::mt19937_64 rng(5);
  std::vector<Evaluation> points;
  for (int k = 0; k < count; ++k) {
    const double u = static_cast<double>(rng() % 1'000'000) / 1e6;
    points.push_back({.seconds = 1e-4 * (1 + 3 * u), .cost_seconds = 0.03});
  }
  return points;
}

std::vector<StrategyRun> random_runs(const std::vector<Evaluation>& points, int runs,
                                     uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<StrategyRun> result;
  for (int r = 0; r < runs; ++r) {
    StrategyRun run = points;
    for (size_t k = run.size(); k > 1; --k) std::swap(run[k - 1], run[rng() % k]);
    result.push_back(std::move(run));
  }
  return result;
}

TEST(Score, OfRandomSearchIsAboutZero) {
  const std::vector<Evaluation> points = made_up_points(4000);
  const SpaceStatistics space = *space_statistics(points);
  const SpaceScore score = *score_on_space(space, random_runs(points, 200, 1));
  EXPECT_NEAR(score.score(), 0, 0.04);
}

TEST(Score, OfAnOracleIsOne) {
  std::vector<Evaluation> points = made_up_points();
  const SpaceStatistics space = *space_statistics(points);
  std::ranges::sort(points, {}, &Evaluation::seconds);
  EXPECT_DOUBLE_EQ(score_on_space(space, std::vector<StrategyRun>{points, points})->score(), 1);
}

TEST(Score, OfTheWorstOrderIsBelowZero) {
  std::vector<Evaluation> points = made_up_points();
  const SpaceStatistics space = *space_statistics(points);
  std::ranges::sort(points, std::greater(), &Evaluation::seconds);
  EXPECT_LT(score_on_space(space, std::vector<StrategyRun>{points})->score(), -1);
}

RC_GTEST_PROP(Score, IsTheSameWhateverTheUnitOfTimeIs, ()) {
  const double unit = std::exp2(*rc::gen::inRange(-20, 20));  // exact in binary
  std::vector<Evaluation> points = made_up_points(), scaled = points;
  for (Evaluation& point : scaled) {
    point.seconds = *point.seconds * unit;
    point.cost_seconds *= unit;
  }
  const uint64_t seed = *rc::gen::inRange(0, 1000);
  const SpaceScore one = *score_on_space(*space_statistics(points), random_runs(points, 8, seed));
  const SpaceScore other = *score_on_space(*space_statistics(scaled), random_runs(scaled, 8, seed));
  RC_ASSERT(std::abs(one.score() - other.score()) < 1e-9);
}

RC_GTEST_PROP(Score, IsTheSameInWhateverOrderRunsAndPointsAre, ()) {
  std::vector<Evaluation> points = made_up_points();
  std::vector<StrategyRun> runs = random_runs(points, 8, *rc::gen::inRange(0, 1000));
  const double score = score_on_space(*space_statistics(points), runs)->score();
  std::ranges::reverse(points);
  std::ranges::rotate(runs, runs.begin() + *rc::gen::inRange(0, 8));
  RC_ASSERT(std::abs(score - score_on_space(*space_statistics(points), runs)->score()) < 1e-9);
}

TEST(ScoreInterval, HoldsTheScoreAndIsTheSameForTheSameSeed) {
  std::vector<SpaceRuns> spaces;
  std::vector<SpaceScore> scores;
  const ScoreOptions options{.resolution = 50};
  for (const Json& space : published()["spaces"]) {
    spaces.push_back({*space_statistics(points_of(space)), runs_of(space, "biased")});
    scores.push_back(*score_on_space(spaces.back().space, spaces.back().runs, options));
  }
  const BootstrapOptions bootstrap{.resamples = 300, .seed = 4};
  const Interval interval = *score_interval(spaces, options, bootstrap);
  const double score = mean_score(scores);
  EXPECT_LT(interval.low, score);
  EXPECT_GT(interval.high, score);
  EXPECT_EQ(interval, *score_interval(spaces, options, bootstrap));
}

double us(double microseconds) { return microseconds * 1e-6; }

// There are nine times, 1 to 9 us; evaluations cost 10 ms, and 5 ms for the one invalid point among
// ten.
std::vector<Evaluation> ten_points() {
  std::vector<Evaluation> points = {{.seconds = std::nullopt, .cost_seconds = 0.005}};
  for (int k = 1; k <= 9; ++k) points.push_back({.seconds = us(k), .cost_seconds = 0.01});
  return points;
}

TEST(SpaceStatistics, ChargesInvalidPointsToValidOnes) {
  const SpaceStatistics space = *space_statistics(ten_points());
  EXPECT_DOUBLE_EQ(space.mean_cost_seconds, 0.01 + 0.1 * 0.005);
  EXPECT_DOUBLE_EQ(space.median_cost_seconds, 0.01);
  EXPECT_DOUBLE_EQ(space.median_seconds, 5e-6);
}

TEST(SpaceStatistics, CutoffIsWhereRandomSearchIsExpectedThere) {
  const SpaceStatistics space = *space_statistics(ten_points());
  // Half way from 5 us to 1 us: 3 us, position 6 of 9, 6 / (10 - 6) evaluations.
  EXPECT_EQ(*cutoff_evaluations(space, 0.5), 2);
  EXPECT_EQ(*cutoff_evaluations(space, 0.0), 1);  // the median: 4 / (10 - 4)
  EXPECT_EQ(*cutoff_evaluations(space, 1.0), 4);  // the optimum: 8 / (10 - 8)
}

TEST(SpaceStatistics, BudgetEndsWhereTheLimitSays) {
  const SpaceStatistics space = *space_statistics(made_up_points());
  EXPECT_GT(comparison_budget(space)->last_evaluations, 10);
  EXPECT_EQ(comparison_budget(space, {.max_evaluations = 10})->last_evaluations, 10);
  EXPECT_DOUBLE_EQ(comparison_budget(space, {.max_evaluations = 10})->last_seconds, 0.3);
}

TEST(SpaceStatistics, BudgetHasRoomForARunWhereRandomSearchIsThereAtOnce) {
  std::vector<Evaluation> points(49, {.seconds = 1.01e-6, .cost_seconds = 0.01});
  points.resize(99, {.seconds = 2e-6, .cost_seconds = 0.01});
  points.push_back({.seconds = 1e-6, .cost_seconds = 0.01});
  const SpaceStatistics space = *space_statistics(points);
  EXPECT_EQ(*cutoff_evaluations(space, 0.95), 1);
  EXPECT_EQ(comparison_budget(space)->last_evaluations, 10);
  EXPECT_EQ(comparison_budget(space, {.max_evaluations = 5})->last_evaluations, 5);
}

TEST(SpaceStatistics, RefusesASpaceWithoutValidPoints) {
  EXPECT_ERROR(space_statistics(std::vector<Evaluation>(2)),
               "the space has no valid point among 2, expected one at least");
}

TEST(SpaceStatistics, RefusesABudgetInASpaceWhereAllIsEqual) {
  const std::vector<Evaluation> points(5, {.seconds = 1e-6, .cost_seconds = 0.01});
  EXPECT_ERROR(comparison_budget(*space_statistics(points)),
               "all 5 times of the space are 1e-06 s: there is nothing to find");
}

TEST(RandomBaseline, IsThePositionOfTheExpectedBest) {
  const SpaceStatistics space = *space_statistics(ten_points());
  EXPECT_DOUBLE_EQ(expected_best_of_random(space, 0), 9e-6);
  EXPECT_DOUBLE_EQ(expected_best_of_random(space, 1), 4e-6);  // 10 / 2 = 5
  EXPECT_DOUBLE_EQ(expected_best_of_random(space, 2), 2e-6);  // 20 / 3 = 6.67 -> 7
  EXPECT_DOUBLE_EQ(expected_best_of_random(space, 4), 1e-6);  // 40 / 5 = 8
  EXPECT_DOUBLE_EQ(expected_best_of_random(space, 9), 1e-6);
}

TEST(StrategyCurve, FailuresCountAsEvaluationsAndNotAsTimes) {
  const SpaceStatistics space = *space_statistics(ten_points());
  const StrategyRun run = {{.cost_seconds = 0.005},
                           {.seconds = us(3), .cost_seconds = 0.01},
                           {.cost_seconds = 0.005},
                           {.seconds = us(5), .cost_seconds = 0.01}};
  const PooledRuns runs = *pool_runs(space, std::vector<StrategyRun>{run});
  EXPECT_EQ(runs.first_valid, 1U);
  std::vector<double> ranks;
  for (const PooledRuns::Point& point : runs.points) ranks.push_back(point.rank);
  EXPECT_EQ(ranks, (std::vector<double>{2, 2, 2}));
  EXPECT_NEAR(runs.points.back().elapsed_seconds, 0.03, 1e-12);
}

TEST(StrategyCurve, RefusesATimeThatTheSpaceDoesNotHave) {
  const SpaceStatistics space = *space_statistics(ten_points());
  const StrategyRun run = {{.seconds = 2.5e-6, .cost_seconds = 0.01}};
  EXPECT_ERROR(pool_runs(space, std::vector<StrategyRun>{run}),
               "a run found 2.5e-06 s, which is the time of no point of its space");
}

TEST(StrategyCurve, HoldsWhatARunHadThatEndsBeforeTheBudgetBegins) {
  const std::vector<Evaluation> points = made_up_points();
  const SpaceStatistics space = *space_statistics(points);
  const StrategyRun run(points.begin(), points.begin() + 1);
  const SpaceScore score = *score_on_space(space, std::vector<StrategyRun>{run});
  for (const double seconds : score.strategy_seconds) EXPECT_EQ(seconds, *run[0].seconds);
}

TEST(StrategyCurve, OfARunWithoutAValidResultIsTheSlowestTime) {
  const SpaceStatistics space = *space_statistics(made_up_points());
  const StrategyRun failures(5, {.cost_seconds = 0.01});
  const SpaceScore score = *score_on_space(space, std::vector<StrategyRun>{failures});
  for (const double seconds : score.strategy_seconds) EXPECT_EQ(seconds, space.seconds.back());
}

// Whichever runs propose nothing more, the others do not stand for them.
TEST(StrategyCurve, OfRunsThatEndEarlyIsNoBetterThanThatOfTheWholeOnes) {
  const std::vector<Evaluation> points = made_up_points();
  const SpaceStatistics space = *space_statistics(points);
  const ScoreOptions options{.budget = {.max_evaluations = 24}};
  std::mt19937_64 rng(1);
  std::vector<StrategyRun> whole, early;
  for (int k = 0; k < 8; ++k) {
    StrategyRun run;
    for (int i = 0; i < 24; ++i)
      run.push_back({.seconds = points[rng() % points.size()].seconds, .cost_seconds = 0.01});
    whole.push_back(run);
    if (best_so_far(run).back().trial > 6) run.resize(6);
    early.push_back(std::move(run));
  }
  EXPECT_LT(score_on_space(space, early, options)->score(),
            score_on_space(space, whole, options)->score());
}

}  // namespace
}  // namespace dovetail
