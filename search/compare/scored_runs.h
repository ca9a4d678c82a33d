// SPDX-License-Identifier: Apache-2.0
#pragma once

// ScoredRuns: the score of one strategy on one space, with what its uncertainty is read off: the
// score's curve over the budget for many draws of the runs.
//
//   const ScoredRuns scored = TRY(score_runs(statistics, runs, options));   // measured completely
//   const ScoredRuns shares = share_of_best(runs, optimum, trials, options);   // otherwise
//   scored.score      0.71, in scored.interval
//
// share_of_best is, after each trial, the best time ever logged over the best so far (0 before the
// first valid one), and the score is its mean over the trials of the budget.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "search/compare/comparison.h"
#include "search/compare/score.h"
#include "search/compare/statistics/bootstrap.h"

namespace dovetail {

struct ScoredRunsOptions {
  ScoreOptions score;
  BootstrapOptions bootstrap;
  size_t points = 100;    // of the curve that is kept
  int curve_draws = 200;  // that bands are read off
};

struct ScoredRuns {
  double score = 0;
  Interval interval;
  std::vector<double> run_scores;
  double first_seconds = 0, last_seconds = 0;  // of the budget; 0: it is in trials
  std::vector<double> curve;                   // of all runs, at evenly spaced shares of the budget
  std::vector<std::vector<double>> draws;      // the same of drawn runs
};

Result<ScoredRuns> score_runs(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                              const ScoredRunsOptions& options);
ScoredRuns share_of_best(std::span<const StrategyRun> runs, double optimum_seconds, int64_t trials,
                         const ScoredRunsOptions& options);

// The mean of the curves over spaces, with its band; also of one.
Series mean_curve(std::span<const ScoredRuns* const> spaces, double confidence);

}  // namespace dovetail
