// SPDX-License-Identifier: Apache-2.0
#pragma once

// FoldedNumber: a number while constants are computed (fold_region.h), as its type has it: real
// numbers in `real`, integers and truths in `whole`, exactly.
//
//   joined(BinaryOp::div, int64_t{7}, int64_t{-2}) == -3      joined(BinaryOp::div, a, 0): none
//   stored_whole(ElementType::u8, 300) == 44
//
// A number that is written in a region's text is both, since it has the type of what it meets.

#include <cstdint>
#include <optional>

#include "core/ir/value/element_type.h"
#include "core/ir/value/value.h"

namespace dovetail {

struct FoldedNumber {
  double real = 0;
  int64_t whole = 0;
};

// Towards zero; what is beyond 63 bits is the nearest that is not, and 0 stands for NaN.
int64_t truncated(double real);

// Arithmetic of real numbers; NaN wins in min and max.
double joined(BinaryOp op, double a, double b);
// Sums and products of integers wrap. None: a quotient that is not defined.
std::optional<int64_t> joined(BinaryOp op, int64_t a, int64_t b);
double computed(UnaryOp op, double x);

template <typename Kind>
bool compared(BinaryOp op, Kind a, Kind b) {
  if (op == BinaryOp::less) return a < b;
  return op == BinaryOp::less_equal ? a <= b : a == b;
}

// As a tensor of that type stores it: its lowest bits.
int64_t stored_whole(ElementType type, int64_t whole);

}  // namespace dovetail
