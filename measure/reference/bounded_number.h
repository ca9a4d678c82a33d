// SPDX-License-Identifier: Apache-2.0
#pragma once

// BoundedNumber: a number in double, and how far code in f32 may be from it.
//
// This is a running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, section
// 3.3): rounding adds half an ulp to an operation, functions add what the emitters promise (exp,
// erf and log 2 ulp, tanh 4, pow 1, sqrt half an ulp, rsqrt 1), and what enters is passed on by the
// derivative. Where an error decides a comparison or a floor, the bound is as large as the step.

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

}  // namespace dovetail
