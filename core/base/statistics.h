// SPDX-License-Identifier: Apache-2.0
//
// Statistics of a sample of numbers, in one place, so that what stops a measurement and what judges
// a tie mean the same by an interval.
//
//   median({3, 1, 2})                2
//   median_interval(samples)         the 95 % confidence interval of the median
//
// The interval is the distribution-free one of order statistics, by the normal approximation of the
// binomial: ranks floor((n - 1.96 sqrt(n)) / 2) from either end. It holds whatever the times are
// distributed like; those of a busy machine are not normal (Conover, Practical Nonparametric
// Statistics, 3rd ed., section 3.2).
#pragma once

#include <span>
#include <utility>

namespace dovetail {

double mean(std::span<const double> values);            // of no value: 0
double median(std::span<const double> values);          // of no value: 0
double geometric_mean(std::span<const double> values);  // of one at least, all positive

// The lower and the upper end; of fewer than six values the smallest and the largest one.
std::pair<double, double> median_interval(std::span<const double> values);

}  // namespace dovetail
