// SPDX-License-Identifier: Apache-2.0
#pragma once

// Score: the position of a strategy between calculated random search (0) and the optimum of the
// space (1), averaged over the budget.
//
//   at one point of the budget    random 4 us, optimum 1 us, strategy 2 us
//   score                         (2 - 4) / (1 - 4) = 2/3
//
// It is 1 if the optimum is found at once, and below 0 if the strategy is slower than random
// search. The score of a space is the mean over points of time of the budget; for several spaces
// their curves are averaged first, then the points, and the deviation is that of the mean curve.
// Source: Willemsen et al., and the Python package autotuning_methodology, see space_statistics.h.

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
  std::vector<double> strategy_seconds = {};  // kernel times
  std::vector<double> random_seconds = {};
  std::vector<double> scores = {};  // at each point of time
  double score() const;             // their mean
};

// Fails if random search is expected to reach the optimum within the budget.
Result<SpaceScore> score_on_space(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                                  const ScoreOptions& options = {});

// The runs of one strategy on one space.
struct SpaceRuns {
  SpaceStatistics space;
  std::vector<StrategyRun> runs;
  int64_t max_evaluations = 0;  // limit of the budget on this space; 0: as in the options
};
// Interval of the mean score over the spaces: runs are drawn anew within each space.
Result<Interval> score_interval(std::span<const SpaceRuns> spaces, const ScoreOptions& options,
                                const BootstrapOptions& bootstrap);

struct ScoredRunsOptions {
  ScoreOptions score;
  BootstrapOptions bootstrap;
  size_t points = 100;    // length of the stored curve
  int curve_draws = 200;  // draws that bands are computed from
};

// The score of one strategy on one space, and what its uncertainty is computed from: the score's
// curve over the budget for many draws of the runs.
struct ScoredRuns {
  double score = 0;
  Interval interval = {};
  std::vector<double> run_scores = {};
  double first_seconds = 0, last_seconds = 0;   // budget; 0: it is in trials
  std::optional<int64_t> scored_trials = {};    // last_seconds in evaluations of random search
  std::vector<double> curve = {};               // all runs, at evenly spaced shares of the budget
  std::vector<std::vector<double>> draws = {};  // the same for drawn runs
};

// Scores runs on a space that was measured completely.
Result<ScoredRuns> score_runs(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                              const ScoredRunsOptions& options);
// Scores runs on any other space: after each trial, the best time ever logged over the best so far
// (0 before the first valid one); the score is the mean over the trials of the budget.
ScoredRuns share_of_best(std::span<const StrategyRun> runs, double optimum_seconds, int64_t trials,
                         const ScoredRunsOptions& options);

// Mean of the curves over one or more spaces, with its band.
Series mean_curve(std::span<const ScoredRuns* const> spaces, double confidence);

}  // namespace dovetail
