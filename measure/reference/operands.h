// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operands: what a candidate computes on, in logical (framework) order.
//
//   const Operands operands = make_operands(op, DataKind::small_integers, 0);
//   operands.of(Operand::weight);      // co * ci/g * kh * kw floats
//
// small_integers: 1 <= |x| <= 4 and 1 <= |w| <= 2, so that every partial sum is an integer that f32
// holds, and the order of additions cannot matter: a right program is right bit for bit. No zeros,
// because a dropped tap that was zero would not be seen.
// real: x in [-1, 1], and w in [-1, 1] scaled by sqrt(3 / K) of the K products summed up, so that
// sums stay around 1, where sigmoid and tanh are not flat.

#include <cstdint>
#include <vector>

#include "core/ir/operator/operator.h"

namespace dovetail {

enum class DataKind { small_integers, real };

struct Operands {
  std::vector<float> input = {};
  std::vector<float> weight = {};
  std::vector<float> bias = {};    // empty when the operator has none
  std::vector<float> addend = {};  // the same

  const std::vector<float>& of(Operand operand) const;
};

Operands make_operands(const Operator& op, DataKind kind, uint64_t seed);

// Products summed up into one output element, padding taps included (transposed: at most).
int64_t products_per_output(const Operator& op);

// True when small integers give exact results: no epilogue rounds, and no sum leaves f32's
// integers.
bool is_exact_on_integers(const Operator& op);

}  // namespace dovetail
