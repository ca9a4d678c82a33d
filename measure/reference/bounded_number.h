// SPDX-License-Identifier: Apache-2.0
#pragma once

// BoundedNumber: a number in double, and how far code in f32 may be from it.
//
//   apply(BinaryOp::add, {1, 1e-7}, {2, 0})          {3, 1e-7 + half an ulp of 3}
//   apply(BinaryOp::add, {3e38, 0}, {3e38, 0})       {inf, 0}: f32 overflows
//   apply(BinaryOp::sub, {inf, 0}, {inf, 0})         {NaN, 0}
//   apply(UnaryOp::log, {1e-9, 1e-8})                {-20.7…, inf}: anything may come out
//
// This is a running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, section
// 3.3): rounding adds half an ulp to an operation, functions add what the emitters promise (exp,
// erf and log 2 ulp, tanh 4, pow 1, sqrt half an ulp, rsqrt 1, sin and cos 4 as far as 2^20, atan
// 5), and what enters is passed on by the
// derivative. Where an error decides a comparison or a floor, the bound is as large as the step.
//
// The value is not rounded, but it overflows as f32 does. An infinity or a NaN without an error is
// certain: code must give the same. Where an error decides whether there is one, the error is
// infinite, and any number will do.
//
// BoundedInteger is an integer or a truth (0 or 1): exact but where a real number's error decided
// it. Arithmetic wraps modulo 2^64, as that of kernels does. An element beyond a tensor may be
// infinite, and so is what is computed from it; no storage holds that.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/ir/value/element_type.h"
#include "core/ir/value/value.h"

namespace dovetail {

struct BoundedNumber {
  double value = 0;
  double error = 0;  // absolute
};

struct BoundedInteger {
  int64_t value = 0;
  double error = 0;          // absolute; infinite for a truth that may be the other one
  bool is_infinite = false;  // the value is the least or the greatest integer

  static BoundedInteger infinity(bool negative);
};

BoundedNumber apply(BinaryOp op, const BoundedNumber& a, const BoundedNumber& b);
BoundedNumber apply(UnaryOp op, const BoundedNumber& a);
// Division drops the remainder, and is 0 by 0. min and max of truths are `and` and `or`.
BoundedInteger apply(BinaryOp op, const BoundedInteger& a, const BoundedInteger& b);
BoundedInteger apply(UnaryOp op, const BoundedInteger& a);

BoundedInteger compare(BinaryOp op, const BoundedNumber& a, const BoundedNumber& b);
BoundedInteger compare(BinaryOp op, const BoundedInteger& a, const BoundedInteger& b);

// A number on its way into storage of a type, or through a cast: it overflows or wraps.
BoundedNumber stored(const BoundedNumber& a, ElementType type);  // f32, f16 or f64
BoundedInteger stored(const BoundedInteger& a, ElementType type);
BoundedNumber real_of(const BoundedInteger& a);
BoundedInteger integer_of(const BoundedNumber& a, ElementType type);

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

// SumBound: how far a sum may be off, over the sum of its terms' magnitudes, as far as it is known
// how it is added up.
//
//   SumBound().error(768)                          4.6e-5: nothing is known of the order
//   SumBound{.longest_chain = 48}.error(768)       3.0e-6: no term goes through more additions
//   SumBound{.has_random_signs = true}.error(768)  3.3e-6: summation_error, of data drawn here
//
// Each addition is off by kUnitRoundoff at most, and terms that are all alike reach that, because
// most additions then round to the same side. So numbers that a user brings are judged by the order
// in which the kernel adds them; numbers that are drawn around zero by what rounding then does,
// which lets no dropped term pass.
struct SumBound {
  double longest_chain = std::numeric_limits<double>::infinity();
  bool has_random_signs = false;

  double error(double terms) const {
    constexpr double kProduct = 2;  // a product that is rounded before it is added, and the result
    const double chain = std::min(terms, longest_chain) + kProduct;
    return has_random_signs ? summation_error(terms)
                            : std::max(summation_error(1), kUnitRoundoff * chain);
  }
};

// SumOfTerms: a sum in f32, added up in an order that is known as far as its bound says.
class SumOfTerms {
 public:
  explicit SumOfTerms(const SumBound& bound) : bound_(bound) {}
  void add(const BoundedNumber& term);
  BoundedNumber total() const;

 private:
  SumBound bound_;
  double total_ = 0, error_ = 0, terms_ = 0;
  double above_ = 0, below_ = 0;  // of finite terms, by their signs
};

}  // namespace dovetail
