// SPDX-License-Identifier: Apache-2.0
#pragma once

// BoundedNumber: a number in double, and a bound on the distance of f32 code's result from it.
//
//   apply(BinaryOp::add, {1, 1e-7}, {2, 0})          {3, 1e-7 + half an ulp of 3}
//   apply(BinaryOp::add, {3e38, 0}, {3e38, 0})       {inf, 0}: f32 overflows
//   apply(BinaryOp::sub, {inf, 0}, {inf, 0})         {NaN, 0}
//   apply(UnaryOp::log, {1e-9, 1e-8})                {-20.7…, inf}: anything may come out
//
// A running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, section 3.3):
// rounding adds half an ulp to an operation, functions add what the emitters guarantee (exp, erf
// and log 2 ulp, tanh 4, pow 1, sqrt half an ulp, rsqrt 1, sin and cos 4 up to 2^20, atan 5), and
// operands' errors are propagated by the derivative. Where an error decides a comparison or a
// floor, the bound is as large as the step.
//
// The value is not rounded, but it overflows like f32. An infinity or a NaN with error 0 is
// certain: code must produce the same. Where an error decides whether there is one, the error is
// infinite, and any number is accepted.
//
// BoundedInteger is an integer or a truth (0 or 1): exact unless a real number's error decided it.
// Arithmetic wraps modulo 2^64, as in kernels. An element outside a tensor may be infinite, and so
// may results computed from it; no storage holds an infinity.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/ir/value/element_type.h"
#include "core/ir/value/value.h"

namespace dovetail {

struct BoundedNumber {
  double value = 0;
  double error = 0;  // absolute
};

struct BoundedInteger {
  int64_t value = 0;
  double error = 0;          // absolute; infinite for a truth that may be wrong
  bool is_infinite = false;  // the value is the least or the greatest integer

  static BoundedInteger infinity(bool negative);
};

BoundedNumber apply(BinaryOp op, const BoundedNumber& a, const BoundedNumber& b);
BoundedNumber apply(UnaryOp op, const BoundedNumber& a);
// Division truncates, and by 0 gives 0. min and max of truths are `and` and `or`.
BoundedInteger apply(BinaryOp op, const BoundedInteger& a, const BoundedInteger& b);
BoundedInteger apply(UnaryOp op, const BoundedInteger& a);

BoundedInteger compare(BinaryOp op, const BoundedNumber& a, const BoundedNumber& b);
BoundedInteger compare(BinaryOp op, const BoundedInteger& a, const BoundedInteger& b);

// The number stored as, or cast to, this type: it overflows or wraps.
BoundedNumber stored(const BoundedNumber& a, ElementType type);  // f32, f16 or f64
BoundedInteger stored(const BoundedInteger& a, ElementType type);
BoundedNumber real_of(const BoundedInteger& a);
BoundedInteger integer_of(const BoundedNumber& a, ElementType type);

// summation_error: bound on the error of an f32 sum in any order, over the sum of its terms'
// magnitudes.
//
//   summation_error(9)       1e-6, which covers what enters the sum, too
//   summation_error(768)     3.3e-6 = 2 * sqrt(768) * 2^-24
//
// The probabilistic bound of Higham and Mary (SIAM J. Sci. Comput. 41, 2019), lambda = 2: rounding
// errors of a long sum partly cancel. The guaranteed bound grows with n and would miss a dropped
// term. Terms of one sign come near it: in sequence, 768 squares were off by 1.2e-6.
inline constexpr double kUnitRoundoff = 0x1p-24;
inline double summation_error(double terms) {
  constexpr double kLeast = 1e-6, kLambda = 2;
  return std::max(kLeast, kLambda * std::sqrt(terms) * kUnitRoundoff);
}

// SumBound: bound on the error of a sum, over the sum of its terms' magnitudes, as far as the order
// of additions is known.
//
//   SumBound().error(768)                          4.6e-5: nothing is known of the order
//   SumBound{.longest_chain = 48}.error(768)       3.0e-6: no term goes through more additions
//   SumBound{.has_random_signs = true}.error(768)  3.3e-6: summation_error, of data drawn here
//
// Each addition is off by at most kUnitRoundoff, and terms that are all alike reach that, because
// most additions then round to the same side. So sums of a user's numbers are judged by the
// kernel's order of additions; sums of random numbers around zero by the statistics of rounding,
// which detects a dropped term.
struct SumBound {
  double longest_chain = std::numeric_limits<double>::infinity();
  bool has_random_signs = false;

  double error(double terms) const {
    constexpr double kProduct = 2;  // a product's rounding before it is added, and the result's
    const double chain = std::min(terms, longest_chain) + kProduct;
    return has_random_signs ? summation_error(terms)
                            : std::max(summation_error(1), kUnitRoundoff * chain);
  }
};

// SumOfTerms: an f32 sum, with an error by `bound`.
class SumOfTerms {
 public:
  explicit SumOfTerms(const SumBound& bound) : bound_(bound) {}
  void add(const BoundedNumber& term);
  BoundedNumber total() const;

 private:
  SumBound bound_;
  double total_ = 0, error_ = 0, terms_ = 0;
  double above_ = 0, below_ = 0;  // magnitudes of finite terms, by sign
};

// The same of products that are summed together, from sums over all terms x * w with errors e(x)
// and e(w). Nothing if a product or a partial sum may be infinite or undefined: only the terms
// themselves then say what code may make of them.
struct SumParts {
  double total = 0;         // sum of x * w
  double magnitude = 0;     // sum of |x * w|
  double factor_error = 0;  // sum of |x| * e(w) + e(x) * |w| + e(x) * e(w)
  double terms = 0;
};
std::optional<BoundedNumber> bounded_sum(const SumParts& parts, const SumBound& bound);

}  // namespace dovetail
