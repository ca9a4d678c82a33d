// SPDX-License-Identifier: Apache-2.0
#pragma once

// Time to quality: what it takes to come within a share of the optimum.
//
//   optimum 1 us, share 0.95: a kernel of at most 1 / 0.95 = 1.053 us
//   run 3 us, 1.2 us, 1.04 us, …  reaches it at evaluation 3, after the cost of three
//
// A run that ends before it is censored: it would have taken longer than it had. A median over
// runs counts it as longer than all others, and so is itself unknown where half of the runs are
// censored.

#include <cstdint>
#include <optional>
#include <span>

#include "search/compare/strategy_curve.h"

namespace dovetail {

struct Reached {
  int64_t evaluations = 0;
  double elapsed_seconds = 0;
  friend bool operator==(const Reached&, const Reached&) = default;
};
std::optional<Reached> time_to_quality(const StrategyRun& run, double optimum_seconds,
                                       double share);

struct QualitySummary {
  int64_t runs = 0;
  int64_t reached = 0;
  std::optional<double> median_evaluations = {};  // none: censored
  std::optional<double> median_elapsed_seconds = {};
};
// Takes one run at least.
QualitySummary summarize_quality(std::span<const StrategyRun> runs, double optimum_seconds,
                                 double share);

}  // namespace dovetail
