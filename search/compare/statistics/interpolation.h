// SPDX-License-Identifier: Apache-2.0
#pragma once

// Curves through points: monotone cubic pieces, and the isotonic regression.
//
//   monotone_cubic({0, 1, 3}, {4, 2, 2}, {0.5, 2})         {2.667, 2}: never below 2
//   falling_fit: y = 5 4 6 3 at x = 1 2 3 4          ->    5 5 5 3: the nearest sequence that falls
//
// monotone_cubic: F. N. Fritsch and J. Butland, SIAM J. Sci. Comput. 5 (1984), with the three-point
// slopes at the ends of scipy's PchipInterpolator (Boost's pchip has others, and came after the
// version in Debian 12). falling_fit: pool adjacent violators, weighted least squares; linear
// between points and constant beyond them, as scikit-learn's IsotonicRegression predicts.

#include <span>
#include <vector>

namespace dovetail {

// n values from first to last, both included.
std::vector<double> evenly_spaced(double first, double last, size_t n);

// x ascends strictly and has at least two points; `at` must be within its range.
std::vector<double> monotone_cubic(std::span<const double> x, std::span<const double> y,
                                   std::span<const double> at);

struct Sample {
  double x = 0;
  double y = 0;
  double weight = 1;
};
// Samples must be sorted by x, then by y; weights of 0 are skipped, and not all may be 0. `at`
// ascends.
std::vector<double> falling_fit(const std::vector<Sample>& samples, std::span<const double> at);

}  // namespace dovetail
