// SPDX-License-Identifier: Apache-2.0
#pragma once

// Score: how far a strategy is, averaged over the budget, on the way from calculated random
// search (0) to the optimum of the space (1).
//
//   at one point of the budget    random 4 us, optimum 1 us, strategy 2 us
//   score                         (2 - 4) / (1 - 4) = 2/3
//
// 1: the optimum at once; below 0: slower than random search. Of a space: the mean over points of
// time from the budget's begin to its end; of several spaces: the mean of their curves, then the
// mean over its points; the deviation is that curve's. Source: Willemsen et al., and the Python
// package autotuning_methodology, see space_statistics.h.

#include <cstdint>
#include <span>
#include <vector>

#include "search/compare/statistics/bootstrap.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {

struct ScoreOptions {
  BudgetOptions budget = {};
  size_t resolution = 1000;  // points of time
  Aggregate aggregate = Aggregate::mean;
};

// The curves of one strategy on one space.
struct SpaceScore {
  Budget budget;
  std::vector<double> elapsed_seconds;
  std::vector<double> strategy_seconds;  // of the kernel
  std::vector<double> random_seconds;
  std::vector<double> scores;  // at each point of time
  double score() const;        // their mean
};

// (strategy - random) / (optimum - random); an error where random is expected at the optimum.
Result<std::vector<double>> standardised(std::span<const double> strategy_seconds,
                                         std::span<const double> random_seconds, double optimum);

Result<SpaceScore> score_on_space(const SpaceStatistics& space, std::span<const StrategyRun> runs,
                                  const ScoreOptions& options = {});

// What one strategy did on one space.
struct SpaceRuns {
  SpaceStatistics space;
  std::vector<StrategyRun> runs;
  int64_t max_evaluations = 0;  // of the budget on this space; 0: as the options say
};
// An interval for the mean over the spaces: runs are drawn anew within each space (mean aggregate
// only).
Result<Interval> score_interval(std::span<const SpaceRuns> spaces, const ScoreOptions& options,
                                const BootstrapOptions& bootstrap);

}  // namespace dovetail
