// SPDX-License-Identifier: Apache-2.0
//
// The type in which a computation accumulates: that of its registers, of the tiles of its partial
// sums, and of the output where these lie in it.
//
//     Y[m, n] += X[m, k] * W[k, n]           X, W of f32, f16 or bf16: f32
//     Y[m, n] += X[m, k] * W[k, n]           X, W of i8, k < 2^17: i32, which holds every sum
//     Y[m, n]:i32 += X[m, k] * W[k, n]       X, W of i32: i32, the low 32 bits are all that is kept
//     Y[m, n] += X[m, k] * W[k, n]           X, W of i64: i64
//
// Integers are defined in 64 bits (core/ir/value/value.h). Why the accumulator is narrower wherever
// no result can differ: a vector has twice as many lanes of i32, and dot-product instructions such
// as VNNI's accumulate in nothing else. It is derived and not written down, so that one text means
// the same on machines with and without such instructions.
#pragma once

#include "core/ir/operator/computation.h"

namespace dovetail {

ElementType accumulator_type(const Computation& computation);

}  // namespace dovetail
