// SPDX-License-Identifier: Apache-2.0
#include "search/compare/score.h"

#include <algorithm>
#include <cmath>

#include "core/base/fail.h"
#include "core/base/statistics.h"
#include "search/compare/statistics/interpolation.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {
namespace {

// (strategy - random) / (optimum - random).
Result<std::vector<double>> standardised(std::span<const double> strategy_seconds,
                                         std::span<const double> random_seconds, double optimum) {
  CHECK(strategy_seconds.size() == random_seconds.size(), "curves of different lengths");
  std::vector<double> scores;
  for (size_t k = 0; k < strategy_seconds.size(); ++k) {
    const double way = optimum - random_seconds[k];
    if (way == 0) {
      return fail(
          "random search is expected at the optimum, {} s, at point {} of {} "
          "of the budget: end it earlier",
          optimum, k + 1, strategy_seconds.size());
    }
    scores.push_back((strategy_seconds[k] - random_seconds[k]) / way);
  }
  return scores;
}

// One strategy's runs on one space, ready to be scored with any count for each run.
struct Prepared {
  const SpaceStatistics& space;
  PooledRuns runs;
  SpaceScore all = {};  // every run once

  Result<double> score(std::span<const double> counts) const {
    const std::vector<double> curve = curve_over_time(space, runs, all.elapsed_seconds, counts);
    return mean(TRY(standardised(curve, all.random_seconds, space.optimum())));
  }
};

// Reports every error of scoring: counts of the runs do not add any.
Result<Prepared> prepare(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                         const ScoreOptions& options) {
  Prepared prepared{.space = space, .runs = {}};
  SpaceScore& all = prepared.all;
  all.budget = TRY(comparison_budget(space, options.budget));
  std::vector<StrategyRun> whole;
  for (const StrategyRun& run : runs)
    whole.push_back(completed(run, options.budget.max_evaluations));
  prepared.runs = TRY(pool_runs(space, whole));
  all.elapsed_seconds =
      evenly_spaced(all.budget.first_seconds, all.budget.last_seconds, options.resolution);
  all.random_seconds = random_over_time(space, all.elapsed_seconds);
  all.strategy_seconds = curve_over_time(space, prepared.runs, all.elapsed_seconds);
  all.scores = TRY(standardised(all.strategy_seconds, all.random_seconds, space.optimum()));
  return prepared;
}

// Evenly spaced values of a longer curve, its ends included.
std::vector<double> thinned(std::span<const double> curve, size_t points) {
  std::vector<double> thin;
  for (size_t k = 0; k < points; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(points - 1);
    thin.push_back(
        curve[static_cast<size_t>(std::nearbyint(share * static_cast<double>(curve.size() - 1)))]);
  }
  return thin;
}

std::vector<double> counted_mean(std::span<const std::vector<double>> curves,
                                 std::span<const double> counts) {
  std::vector<double> sum(curves.front().size());
  double total = 0;
  for (size_t run = 0; run < curves.size(); ++run) {
    total += counts[run];
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += counts[run] * curves[run][k];
  }
  for (double& value : sum) value /= total;
  return sum;
}

// Shares of the optimum after each trial of the budget.
std::vector<double> shares_of(const StrategyRun& run, double optimum_seconds, int64_t trials) {
  const std::vector<TimedTrial> curve = best_so_far(run);
  std::vector<double> shares;
  for (int64_t trial = 1; trial <= trials; ++trial)
    shares.push_back(optimum_seconds /
                     best_after(curve, BudgetAxis::trials, static_cast<double>(trial)));
  return shares;
}

}  // namespace

double SpaceScore::score() const { return mean(scores); }

Result<SpaceScore> score_on_space(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                                  const ScoreOptions& options) {
  return TRY(prepare(space, runs, options)).all;
}

Result<Interval> score_interval(std::span<const SpaceRuns> spaces, const ScoreOptions& options,
                                const BootstrapOptions& bootstrap) {
  if (spaces.empty()) return fail("no spaces, expected one at least");
  std::vector<Prepared> prepared;
  std::vector<size_t> sizes;
  for (const SpaceRuns& space : spaces) {
    ScoreOptions own = options;
    if (space.max_evaluations > 0) own.budget.max_evaluations = space.max_evaluations;
    prepared.push_back(TRY(prepare(space.space, space.runs, own)));
    sizes.push_back(space.runs.size());
  }
  const auto statistic = [&](std::span<const double> counts) {
    double sum = 0;
    size_t first = 0;
    for (size_t s = 0; s < prepared.size(); ++s) {
      const std::span<const double> own = counts.subspan(first, sizes[s]);
      first += sizes[s];
      // Unchanged counts keep the score: leaving one run out changes one space only.
      if (std::ranges::all_of(own, [](double count) { return count == 1; })) {
        sum += prepared[s].all.score();
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

Result<ScoredRuns> score_runs(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                              const ScoredRunsOptions& options) {
  const Prepared prepared = TRY(prepare(space, runs, options.score));
  const SpaceScore& all = prepared.all;
  ScoredRuns scored{.score = all.score(),
                    .first_seconds = all.budget.first_seconds,
                    .last_seconds = all.budget.last_seconds,
                    .scored_trials = all.budget.last_evaluations,
                    .curve = thinned(all.scores, options.points)};
  for (const StrategyRun& run : runs)
    scored.run_scores.push_back(TRY(score_on_space(space, {&run, 1}, options.score)).score());
  const SpaceRuns together{.space = space, .runs = {runs.begin(), runs.end()}};
  scored.interval = TRY(score_interval({&together, 1}, options.score, options.bootstrap));
  const std::vector<double> at = thinned(all.elapsed_seconds, options.points);
  const std::vector<double> random = thinned(all.random_seconds, options.points);
  for (const std::vector<double>& counts :
       draw_counts(runs.size(), options.curve_draws, options.bootstrap.seed)) {
    const std::vector<double> seconds = curve_over_time(space, prepared.runs, at, counts);
    scored.draws.push_back(TRY(standardised(seconds, random, space.optimum())));
  }
  return scored;
}

ScoredRuns share_of_best(std::span<const StrategyRun> runs, double optimum_seconds, int64_t trials,
                         const ScoredRunsOptions& options) {
  ScoredRuns scored;
  std::vector<std::vector<double>> curves;
  for (const StrategyRun& run : runs) {
    const std::vector<double> shares = shares_of(run, optimum_seconds, trials);
    scored.run_scores.push_back(mean(shares));
    curves.push_back(thinned(shares, options.points));
  }
  scored.score = mean(scored.run_scores);
  scored.interval = bootstrap_mean(scored.run_scores, options.bootstrap);
  scored.curve = counted_mean(curves, std::vector<double>(runs.size(), 1));
  for (const std::vector<double>& counts :
       draw_counts(runs.size(), options.curve_draws, options.bootstrap.seed)) {
    scored.draws.push_back(counted_mean(curves, counts));
  }
  return scored;
}

Series mean_curve(std::span<const ScoredRuns* const> spaces, double confidence) {
  CHECK(!spaces.empty(), "a curve over no spaces");
  const auto mean_at = [&](auto value_of) {
    double sum = 0;
    for (const ScoredRuns* space : spaces) sum += value_of(*space);
    return sum / static_cast<double>(spaces.size());
  };
  Series series;
  const size_t points = spaces.front()->curve.size(), draws = spaces.front()->draws.size();
  const double tail = (1 - confidence) / 2;
  for (size_t k = 0; k < points; ++k) {
    series.at.push_back(static_cast<double>(k) / static_cast<double>(points - 1));
    series.middle.push_back(mean_at([&](const ScoredRuns& space) { return space.curve[k]; }));
    std::vector<double> drawn;
    for (size_t d = 0; d < draws; ++d)
      drawn.push_back(mean_at([&](const ScoredRuns& space) { return space.draws[d][k]; }));
    std::ranges::sort(drawn);
    series.low.push_back(quantile_of_sorted(drawn, tail));
    series.high.push_back(quantile_of_sorted(drawn, 1 - tail));
  }
  return series;
}

}  // namespace dovetail
