// SPDX-License-Identifier: Apache-2.0
#pragma once

// summation_error: how far a sum in f32, added up in any order, may be from the exact one, over the
// sum of its terms' magnitudes.
//
//   summation_error(9)       1e-6, which covers what enters the sum, too
//   summation_error(768)     3.3e-6 = 2 * sqrt(768) * 2^-24
//
// The probabilistic bound of Higham and Mary (SIAM J. Sci. Comput. 41, 2019), lambda = 2: rounding
// errors of a long sum partly cancel. The certain bound grows with n itself and would let a dropped
// term pass. Terms of one sign come near it: one after the other, 768 squares were off by 1.2e-6.

#include <algorithm>
#include <cmath>

namespace dovetail {

inline double summation_error(double terms) {
  constexpr double kLeast = 1e-6, kLambda = 2, kUnitRoundoff = 0x1p-24;
  return std::max(kLeast, kLambda * std::sqrt(terms) * kUnitRoundoff);
}

}  // namespace dovetail
