// SPDX-License-Identifier: Apache-2.0
#pragma once

// FoldedNumber: a number during constant folding (fold_region.h): real numbers in `real`, integers
// and booleans exactly in `whole`.
//
//   joined(BinaryOp::div, int64_t{7}, int64_t{-2}) == -3      joined(BinaryOp::div, a, 0): none
//
// A literal in a region's text has both, because it takes the type of the other operand.

#include <cstdint>
#include <optional>

#include "core/ir/value/element_type.h"
#include "core/ir/value/value.h"

namespace dovetail {

struct FoldedNumber {
  double real = 0;
  int64_t whole = 0;
};

// Rounds towards zero and saturates; NaN becomes 0.
int64_t truncated(double real);

// Arithmetic of real numbers; min and max of a NaN are NaN.
double joined(BinaryOp op, double a, double b);
// Sums and products of integers wrap; an undefined quotient is nullopt.
std::optional<int64_t> joined(BinaryOp op, int64_t a, int64_t b);
double computed(UnaryOp op, double x);

template <typename Kind>
bool compared(BinaryOp op, Kind a, Kind b) {
  if (op == BinaryOp::less) return a < b;
  return op == BinaryOp::less_equal ? a <= b : a == b;
}

}  // namespace dovetail
