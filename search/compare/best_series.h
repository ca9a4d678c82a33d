// SPDX-License-Identifier: Apache-2.0
#pragma once

// The best time so far of several runs, as one line with a band.
//
//   runs  3 3 1 and 4 2 2 us after trials 1, 2, 3      median  3.5 2.5 1.5 us
//
// The band is a bootstrap's of that median: from the 2.5th to the 97.5th percentile of draws of the
// runs. A run that ended keeps its best; nothing found yet is slower than all (NaN where it is the
// median).

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/compare/comparison.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {

struct SeriesOptions {
  size_t points = 100;  // of the line, at most
  int resamples = 500;
  double confidence = 0.95;
  uint64_t seed = 0;
};

// After each evaluation; NaN before the first valid one.
std::vector<double> best_so_far(const StrategyRun& run);

Series best_over_trials(std::span<const StrategyRun> runs, int64_t trials,
                        const SeriesOptions& options = {});
// By the clock of the evaluations.
Series best_over_seconds(std::span<const StrategyRun> runs, double seconds,
                         const SeriesOptions& options = {});

// Time to quality: what it takes to come within a share of the optimum.
//
//   optimum 1 us, share 0.95: a kernel of at most 1 / 0.95 = 1.053 us
//   run 3 us, 1.2 us, 1.04 us, …  reaches it at evaluation 3, after the cost of three
//
// A run that ends before it is censored: it would have taken longer than it had. A median over
// runs counts it as longer than all others, and so is itself unknown where half of the runs are
// censored.
struct Reached {
  int64_t evaluations = 0;
  double elapsed_seconds = 0;
  friend bool operator==(const Reached&, const Reached&) = default;
};
std::optional<Reached> time_to_quality(const StrategyRun& run, double optimum_seconds,
                                       double share);

// Of one run at least; medians over them.
QualityReached summarize_quality(std::span<const StrategyRun> runs, double optimum_seconds,
                                 double share);

}  // namespace dovetail
