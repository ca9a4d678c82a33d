// SPDX-License-Identifier: Apache-2.0
#pragma once

// BoundedNumber: a number in double, and how far code in f32 may be from it.
//
// This is a running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, section
// 3.3): rounding adds half an ulp to an operation, functions add what the emitters promise (exp,
// erf and log 2 ulp, tanh 4, pow 1, sqrt half an ulp, rsqrt 1, sin and cos 4 as far as 2^20, atan
// 5), and what enters is passed on by the
// derivative. Where an error decides a comparison or a floor, the bound is as large as the step.

#include <algorithm>
#include <cmath>

#include "core/ir/value/value.h"

namespace dovetail {

struct BoundedNumber {
  double value = 0;
  double error = 0;  // absolute
};

// The operation on integers if `whole`, whose division drops the remainder.
BoundedNumber apply(BinaryOp op, const BoundedNumber& a, const BoundedNumber& b, bool whole);
BoundedNumber apply(UnaryOp op, const BoundedNumber& a);
BoundedNumber apply(ComputedType type, const BoundedNumber& a);  // converted

// summation_error: how far a sum in f32, added up in any order, may be from the exact one, over the
// sum of its terms' magnitudes.
//
//   summation_error(9)       1e-6, which covers what enters the sum, too
//   summation_error(768)     3.3e-6 = 2 * sqrt(768) * 2^-24
//
// The probabilistic bound of Higham and Mary (SIAM J. Sci. Comput. 41, 2019), lambda = 2: rounding
// errors of a long sum partly cancel. The certain bound grows with n itself and would let a dropped
// term pass. Terms of one sign come near it: one after the other, 768 squares were off by 1.2e-6.
inline constexpr double kUnitRoundoff = 0x1p-24;
inline double summation_error(double terms) {
  constexpr double kLeast = 1e-6, kLambda = 2;
  return std::max(kLeast, kLambda * std::sqrt(terms) * kUnitRoundoff);
}

// The certain bound: each addition is off by kUnitRoundoff at most. Terms that are all alike reach
// it, because most additions then round to the same side.
inline double certain_summation_error(double terms) { return kUnitRoundoff * terms; }

}  // namespace dovetail
