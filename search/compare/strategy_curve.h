// SPDX-License-Identifier: Apache-2.0
#pragma once

// Curves of a strategy: the best time found so far over the budget, for many runs together.
//
//   run: 3 us, fails, 5 us, 1 us     best so far: 3 us, 3 us, 3 us, 1 us
//   three runs' bests after some time, as ranks among all times of the space (0: the optimum):
//   2, 40, 3      mean: rank 15        -> the time with that rank
//
// A run that fails to have two results within the budget's time counts by what it held at both ends
// of it: the slowest time of the space before its first valid result.
//
// Ranks are averaged, not times, and rounded (half to even), so that one very slow space or run
// does not outweigh the rest (Willemsen et al., see space_statistics.h). Mean ranks match the
// baseline's; they are the isotonic regression over time of all runs' points (the package averages
// it over bags of them, drawn anew in each call). Medians would not match: random search's median
// is well above the calculated baseline, because ranks of bests are skewed.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/compare/comparison.h"
#include "search/compare/statistics/space_statistics.h"

namespace dovetail {

// A strategy's results of one campaign, in order.
using StrategyRun = std::vector<Evaluation>;

enum class BudgetAxis { trials, seconds };

// A valid trial.
struct TimedTrial {
  int64_t trial = 0;           // from 1
  double elapsed_seconds = 0;  // when its result came
  double seconds = 0;
  double budget(BudgetAxis axis) const {
    return axis == BudgetAxis::trials ? static_cast<double>(trial) : elapsed_seconds;
  }
  friend bool operator==(const TimedTrial&, const TimedTrial&) = default;
};

// The best-so-far curve of one run: its trials that were faster than all before them.
std::vector<TimedTrial> best_so_far(std::span<const TimedTrial> trials);
// Over the clock of the evaluations, the sum of their costs.
std::vector<TimedTrial> best_so_far(const StrategyRun& run);
// The time of a curve after a budget; infinity before its first trial.
double best_after(std::span<const TimedTrial> curve, BudgetAxis axis, double budget);

// A run, with the cost of its search.
struct RunToCompare {
  StrategyRun evaluations = {};
  int64_t rejected = 0;       // proposals that were illegal or repeated
  double search_seconds = 0;  // on this machine; no part of a simulated clock
  double model_seconds = 0;
};

// Runs of one strategy on one space, ready for curves.
struct PooledRuns {
  struct Point {
    double elapsed_seconds = 0;
    double rank = 0;
    size_t run = 0;
  };
  size_t size = 0;                 // number of runs
  size_t longest = 0;              // evaluations of the longest run
  size_t first_valid = SIZE_MAX;   // the fewest evaluations of a run before its first valid one
  std::vector<Point> points = {};  // all runs' best so far, by time, then by rank
  double stop_seconds = 0;         // more than half of the runs ended: constant from there
  bool stops = false;              // stop_seconds is set: some run ends after the median one
};
// Fails for a time that the space does not have.
Result<PooledRuns> pool_runs(const SpaceStatistics& space, std::span<const StrategyRun> runs);

// The run as if it had tried as often as it may: what it does not try fails, at its mean cost, so
// that a strategy that has nothing more to propose keeps its best. An empty run stays empty.
//
//   3 us, 2 us, after 1 s each; of 4 trials      3 us, 2 us, fails, fails
StrategyRun completed(StrategyRun run, int64_t trials);

// Runs that have fewer than two results within the times, which ascend, and a margin around them.
size_t runs_out_of_time(const PooledRuns& runs, std::span<const double> elapsed_seconds);

// Seconds of the kernel at each of the given points in time, which ascend. `counts`: how often each
// run counts; empty: once.
std::vector<double> curve_over_time(const SpaceStatistics& space, const PooledRuns& runs,
                                    std::span<const double> elapsed_seconds,
                                    std::span<const double> counts = {});

// The best time so far of several runs, as one line with a band.
//
//   runs  3 3 1 and 4 2 2 us after trials 1, 2, 3      median  3.5 2.5 1.5 us
//
// The band is the bootstrap interval of that median: from the 2.5th to the 97.5th percentile of
// draws of the runs. A run that ended keeps its best; one that found nothing yet is slower than all
// (NaN if it is the median).

struct SeriesOptions {
  size_t points = 100;  // at most, along the line
  int resamples = 500;
  double confidence = 0.95;
  uint64_t seed = 0;
};

Series best_over_trials(std::span<const StrategyRun> runs, int64_t trials,
                        const SeriesOptions& options = {});
Series best_over_seconds(std::span<const StrategyRun> runs, double seconds,
                         const SeriesOptions& options = {});

// Time to quality: what it takes to come within a share of the optimum.
//
//   optimum 1 us, share 0.95: a kernel of at most 1 / 0.95 = 1.053 us
//   run 3 us, 1.2 us, 1.04 us, …  reaches it at evaluation 3, after the cost of three
//
// A run that ends before it is censored. A median over runs counts it as longer than all others,
// and so is itself unknown if half of the runs are censored.
std::optional<TimedTrial> time_to_quality(const StrategyRun& run, double optimum_seconds,
                                          double share);

// Medians over all runs, of which there must be one.
QualityReached summarize_quality(std::span<const StrategyRun> runs, double optimum_seconds,
                                 double share);

}  // namespace dovetail
