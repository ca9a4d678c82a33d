// SPDX-License-Identifier: Apache-2.0
#include "search/compare/scored_runs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/statistics.h"
#include "search/compare/best_series.h"
#include "search/compare/simulate/random_baseline.h"

namespace dovetail {
namespace {

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

// After each trial of the budget.
std::vector<double> shares_of(const StrategyRun& run, double optimum_seconds, int64_t trials) {
  const std::vector<double> best = best_so_far(run);
  std::vector<double> shares(static_cast<size_t>(trials));
  for (size_t k = 0; k < shares.size() && !best.empty(); ++k) {
    const double seconds = best[std::min(k, best.size() - 1)];
    shares[k] = std::isfinite(seconds) ? optimum_seconds / seconds : 0;
  }
  return shares;
}

}  // namespace

Result<ScoredRuns> score_runs(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                              const ScoredRunsOptions& options) {
  const SpaceScore all = TRY(score_on_space(space, runs, options.score));
  ScoredRuns scored{.score = all.score(),
                    .interval = {},
                    .run_scores = {},
                    .first_seconds = all.budget.first_seconds,
                    .last_seconds = all.budget.last_seconds,
                    .curve = thinned(all.scores, options.points),
                    .draws = {}};
  for (const StrategyRun& run : runs)
    scored.run_scores.push_back(TRY(score_on_space(space, {&run, 1}, options.score)).score());
  const SpaceRuns together{.space = space, .runs = {runs.begin(), runs.end()}};
  scored.interval = TRY(score_interval({&together, 1}, options.score, options.bootstrap));
  const PooledRuns pooled = TRY(pool_runs(space, runs));
  const std::vector<double> at = thinned(all.elapsed_seconds, options.points);
  const std::vector<double> random = thinned(all.random_seconds, options.points);
  for (const std::vector<double>& counts :
       draw_counts(runs.size(), options.curve_draws, options.bootstrap.seed)) {
    const std::vector<double> seconds =
        TRY(curve_over_time(space, pooled, at, options.score.aggregate, counts));
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
