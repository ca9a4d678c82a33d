// SPDX-License-Identifier: Apache-2.0
//
// Statistics of a sample of numbers, shared so that the rule that stops a measurement and the rule
// that judges a tie use the same interval.
//
//   median({3, 1, 2})                2
//   median_interval(samples)         the 95 % confidence interval of the median
//
// The interval is the distribution-free one of order statistics, by the normal approximation of the
// binomial: ranks floor((n - 1.96 sqrt(n)) / 2) from either end. It holds for any distribution;
// times of a busy machine are not normal (Conover, Practical Nonparametric Statistics, 3rd ed.,
// section 3.2).
#pragma once

#include <span>
#include <utility>

namespace dovetail {

double mean(std::span<const double> values);            // 0 for an empty sample
double median(std::span<const double> values);          // 0 for an empty sample
double geometric_mean(std::span<const double> values);  // values: at least one, all positive

// The lower and the upper end: the minimum and the maximum of fewer than eight values.
std::pair<double, double> median_interval(std::span<const double> values);

}  // namespace dovetail
