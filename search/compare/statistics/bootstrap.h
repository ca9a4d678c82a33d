// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bootstrap: a confidence interval of a statistic, by resampling with replacement.
//
//   sample 2 4 9      drawn: 4 4 9 -> counts 0 2 1 -> mean 5.67,   2 2 4 -> counts 2 1 0 -> 2.67, …
//   interval of 95 %: from the 2.5th to the 97.5th percentile of those means
//
// A statistic sees how often each element was drawn, not the elements, so that its parts can be
// computed once. Elements may be in strata (runs on several spaces), each resampled by itself. BCa
// moves the percentiles by the bias of the draws and by the acceleration from leaving elements out
// (B. Efron, "Better bootstrap confidence intervals", J. Am. Stat. Assoc. 82, 1987); where neither
// is defined (all draws equal) it is the percentile interval. Same seed, same interval.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dovetail {

struct Interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

enum class BootstrapMethod { percentile, bca };

struct BootstrapOptions {
  int resamples = 2000;
  double confidence = 0.95;
  uint64_t seed = 0;
  BootstrapMethod method = BootstrapMethod::bca;
};

// Counts of all elements, stratum after stratum.
using CountedStatistic = std::function<double(std::span<const double> counts)>;

Interval bootstrap_interval(std::span<const size_t> strata, const CountedStatistic& statistic,
                            const BootstrapOptions& options = {});

// How often each of `size` elements was drawn, for each of the draws.
std::vector<std::vector<double>> draw_counts(size_t size, int draws, uint64_t seed);

// The interval of the mean of one sample.
Interval bootstrap_mean(std::span<const double> sample, const BootstrapOptions& options = {});

// Quantile of sorted values, linear between two of them.
double quantile_of_sorted(std::span<const double> sorted, double share);

}  // namespace dovetail
