// SPDX-License-Identifier: Apache-2.0
#include "search/compare/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "search/compare/simulate/random_baseline.h"

namespace dovetail {
namespace {

// One space of score_interval.
struct Prepared {
  const SpaceStatistics& space;
  PooledRuns runs;
  std::vector<double> elapsed_seconds;
  std::vector<double> random_seconds;
  Aggregate aggregate;
  double score_of_all = 0;  // every run once

  Result<double> score(std::span<const double> counts) const {
    const std::vector<double> curve =
        TRY(curve_over_time(space, runs, elapsed_seconds, aggregate, counts));
    return mean(TRY(standardised(curve, random_seconds, space.optimum())));
  }
};

Result<Prepared> prepare(const SpaceRuns& input, const ScoreOptions& options) {
  BudgetOptions limits = options.budget;
  if (input.max_evaluations > 0) limits.max_evaluations = input.max_evaluations;
  const Budget budget = TRY(comparison_budget(input.space, limits));
  Prepared prepared{.space = input.space,
                    .runs = TRY(pool_runs(input.space, input.runs)),
                    .elapsed_seconds = evenly_spaced(budget.first_seconds, budget.last_seconds,
                                                     options.resolution),
                    .random_seconds = {},
                    .aggregate = options.aggregate};
  prepared.random_seconds = random_over_time(input.space, prepared.elapsed_seconds);
  // Whatever is wrong is wrong here: how often runs count changes nothing about it.
  prepared.score_of_all = TRY(prepared.score({}));
  return prepared;
}

}  // namespace

double SpaceScore::score() const { return mean(scores); }

Result<std::vector<double>> standardised(std::span<const double> strategy_seconds,
                                         std::span<const double> random_seconds, double optimum) {
  CHECK(strategy_seconds.size() == random_seconds.size(), "curves of different lengths");
  std::vector<double> scores;
  for (size_t k = 0; k < strategy_seconds.size(); ++k) {
    const double way = optimum - random_seconds[k];
    if (way == 0) {
      return fail(
          fmt::format("random search is expected at the optimum, {} s, at point {} of {} "
                      "of the budget: end it earlier",
                      optimum, k + 1, strategy_seconds.size()));
    }
    scores.push_back((strategy_seconds[k] - random_seconds[k]) / way);
  }
  return scores;
}

Result<SpaceScore> score_on_space(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                                  const ScoreOptions& options) {
  SpaceScore result{.budget = TRY(comparison_budget(space, options.budget)),
                    .elapsed_seconds = {},
                    .strategy_seconds = {},
                    .random_seconds = {},
                    .scores = {}};
  const PooledRuns pooled = TRY(pool_runs(space, runs));
  result.elapsed_seconds =
      evenly_spaced(result.budget.first_seconds, result.budget.last_seconds, options.resolution);
  result.random_seconds = random_over_time(space, result.elapsed_seconds);
  result.strategy_seconds =
      TRY(curve_over_time(space, pooled, result.elapsed_seconds, options.aggregate));
  result.scores =
      TRY(standardised(result.strategy_seconds, result.random_seconds, space.optimum()));
  return result;
}

Result<Interval> score_interval(std::span<const SpaceRuns> spaces, const ScoreOptions& options,
                                const BootstrapOptions& bootstrap) {
  CHECK(options.aggregate == Aggregate::mean, "intervals of a mean only");
  if (spaces.empty()) return fail("no spaces, expected one at least");
  std::vector<Prepared> prepared;
  std::vector<size_t> sizes;
  for (const SpaceRuns& space : spaces) {
    prepared.push_back(TRY(prepare(space, options)));
    sizes.push_back(space.runs.size());
  }
  const auto statistic = [&](std::span<const double> counts) {
    double sum = 0;
    size_t first = 0;
    for (size_t s = 0; s < prepared.size(); ++s) {
      const std::span<const double> own = counts.subspan(first, sizes[s]);
      first += sizes[s];
      // Leaving one run out touches one space only.
      if (std::ranges::all_of(own, [](double count) { return count == 1; })) {
        sum += prepared[s].score_of_all;
        continue;
      }
      const Result<double> score = prepared[s].score(own);
      CHECK(score.has_value(), "a space that had a score has none: " + score.error().message);
      sum += *score;
    }
    return sum / static_cast<double>(prepared.size());
  };
  return bootstrap_interval(sizes, statistic, bootstrap);
}

}  // namespace dovetail
