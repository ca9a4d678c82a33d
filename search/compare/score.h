// SPDX-License-Identifier: Apache-2.0
#pragma once

// Score: how far a strategy is, averaged over the budget, on the way from calculated random
// search (0) to the optimum of the space (1).
//
//   at one point of the budget    random 4 us, optimum 1 us, strategy 2 us
//   score                         (2 - 4) / (1 - 4) = 2/3
//
// It is 1 where the optimum is there at once, and below 0 where the strategy is slower than random
// search. The score of a space is the mean over points of time from the budget's begin to its end;
// that of several spaces takes the mean of their curves, then the mean over its points; the
// deviation is that curve's. Source: Willemsen et al., and the Python package
// autotuning_methodology, see space_statistics.h.

#include <cstdint>
#include <span>
#include <vector>

#include "search/compare/comparison.h"
#include "search/compare/statistics/bootstrap.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {

struct ScoreOptions {
  BudgetOptions budget = {};
  size_t resolution = 1000;  // points of time
};

// The curves of one strategy on one space.
struct SpaceScore {
  Budget budget = {};
  std::vector<double> elapsed_seconds = {};
  std::vector<double> strategy_seconds = {};  // of the kernel
  std::vector<double> random_seconds = {};
  std::vector<double> scores = {};  // at each point of time
  double score() const;             // their mean
};

// It is an error where random search is expected at the optimum.
Result<SpaceScore> score_on_space(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                                  const ScoreOptions& options = {});

// SpaceRuns has the runs of one strategy on one space.
struct SpaceRuns {
  SpaceStatistics space;
  std::vector<StrategyRun> runs;
  int64_t max_evaluations = 0;  // of the budget on this space; 0: as the options say
};
// The interval is for the mean over the spaces: runs are drawn anew within each space.
Result<Interval> score_interval(std::span<const SpaceRuns> spaces, const ScoreOptions& options,
                                const BootstrapOptions& bootstrap);

struct ScoredRunsOptions {
  ScoreOptions score;
  BootstrapOptions bootstrap;
  size_t points = 100;    // of the curve that is kept
  int curve_draws = 200;  // that bands are read off
};

// The score of one strategy on one space, with what its uncertainty is read off: the score's curve
// over the budget for many draws of the runs.
struct ScoredRuns {
  double score = 0;
  Interval interval = {};
  std::vector<double> run_scores = {};
  double first_seconds = 0, last_seconds = 0;  // of the budget; 0: it is in trials
  std::vector<double> curve = {};              // of all runs, at evenly spaced shares of the budget
  std::vector<std::vector<double>> draws = {};  // the same of drawn runs
};

// It scores runs on a space that was measured completely.
Result<ScoredRuns> score_runs(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                              const ScoredRunsOptions& options);
// It scores runs where it was not: after each trial they have the best time ever logged over the
// best so far (0 before the first valid one); the score is the mean over the trials of the budget.
ScoredRuns share_of_best(std::span<const StrategyRun> runs, double optimum_seconds, int64_t trials,
                         const ScoredRunsOptions& options);

// The mean of the curves over spaces, with its band; also of one.
Series mean_curve(std::span<const ScoredRuns* const> spaces, double confidence);

}  // namespace dovetail
