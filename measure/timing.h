// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adaptive repeats: takes as many samples as a time needs, and no more.
//
//   const auto sample = [&](int64_t runs) { return seconds_of(runs, program); };   // back to back
//   const std::vector<double> samples = TRY(time_adaptively(sample, {.best_seconds = 0.00086}));
//   const double seconds = median(samples);
//
// Warm-up first: the first runs after operands were written read three times too slowly. Short
// programs are looped, so that a sample is far above the clock's noise. Sampling ends when the 95 %
// confidence interval of the median is narrow; or the candidate is clearly beaten (its *fastest*
// sample is, so that a busy neighbour cannot reject it); or the budget is spent. The budget is of
// the program's own time. Where caches are emptied before each run, a limit in wall-clock time
// bounds the emptying, too: it takes half a second where the last cache has half a gigabyte.
//
// The interval is that of order statistics, valid for any distribution: timings are skewed, and
// outliers would dominate a standard deviation.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct TimingRule {
  double warmup_seconds = 1.5e-3;
  double sample_seconds = 30e-6;      // shorter programs are looped up to this
  double budget_seconds = 0.05;       // ends sampling, after three samples at least
  double most_wall_seconds = 0;       // likewise, in wall-clock time; 0: no limit
  double relative_half_width = 0.01;  // half the interval over the median; ends sampling
  int least_samples = 8;
  int most_samples = 400;
  double best_seconds = 0;      // best so far; 0: none
  double clearly_slower = 1.3;  // beaten: the fastest sample is this many times the best
  friend bool operator==(const TimingRule&, const TimingRule&) = default;
};

// `sample(runs)` returns the seconds of `runs` runs in a row. The result is seconds per run, at
// least one entry, in the order taken; the first error of `sample` ends the timing.
using TimedRuns = std::function<Result<double>(int64_t runs)>;
Result<std::vector<double>> time_adaptively(const TimedRuns& sample, const TimingRule& rule);

// Half the width of the median's 95 % confidence interval over the median; infinity below 5 values.
double relative_half_width(std::span<const double> values);

}  // namespace dovetail
