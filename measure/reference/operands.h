// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operands: the inputs of a candidate, in logical (framework) order.
//
//   const Operands operands = make_operands(op, DataKind::small_integers, 0);
//   operands.weight                     [co, ci/g, kh, kw], of the operator's type
//
// small_integers: 1 <= |x| <= 4 and 1 <= |w| <= 2, so that every partial sum is an integer that f32
// holds, and the order of additions cannot matter: a correct program is exact bit for bit. No
// zeros, because they would hide a dropped tap.
// real: x in [-1, 1], and w in [-1, 1] scaled by sqrt(3 / K) for sums of K products, so that sums
// stay around 1, where sigmoid and tanh are not flat.

#include <cstdint>

#include "core/ir/operator/operator.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

// SplitMix64 as a function of the position: the same numbers on every machine, in any order.
inline uint64_t noise(uint64_t stream, uint64_t position) {
  uint64_t z = (stream + position) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

enum class DataKind { small_integers, real };

// Any real type will do, doubles too. Bias and addend are empty if the operator has none.
struct Operands {
  NDArray input = {}, weight = {}, bias = {}, addend = {};
};

// The operands with their tensors' names in a region.
struct NamedOperand {
  const char* tensor;
  NDArray Operands::* array;
};
inline constexpr NamedOperand kOperands[] = {{"X", &Operands::input},
                                             {"W", &Operands::weight},
                                             {"bias", &Operands::bias},
                                             {"add", &Operands::addend}};

// In the operator's type, without the tensors of a tail (tail_reference.h).
Operands make_operands(const Operator& op, DataKind kind, uint64_t seed);

// Number of products in the sum of one output element, padding taps included (transposed: at most).
int64_t products_per_output(const Operator& op);

// True if its function is approximated: gelu, silu, sigmoid, tanh.
bool rounds(const Epilogue& epilogue);

// True if small integers give exact results: no epilogue rounds, there is no tail, and no sum
// leaves f32's integers.
bool is_exact_on_integers(const Operator& op);

}  // namespace dovetail
