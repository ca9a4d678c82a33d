// SPDX-License-Identifier: Apache-2.0
#pragma once

// The distributions that tests and intervals need, from Boost.Math.
//
//   normal_cdf(1.96) = 0.975   normal_quantile(0.975) = 1.96   chi_squared_tail(3.84, 1) = 0.05
//
// Only the .cc file sees Boost: its headers take a second to compile.

namespace dovetail {

double normal_cdf(double z);
double normal_quantile(double probability);                     // infinite at 0 and 1
double chi_squared_tail(double value, int degrees_of_freedom);  // P(X > value)

}  // namespace dovetail
