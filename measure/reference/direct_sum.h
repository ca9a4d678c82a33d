// SPDX-License-Identifier: Apache-2.0
#pragma once

// direct_sum: the sum of products of an operator, before any epilogue, in f32 or f64.
//
//   y[n, o, i...] = sum over c, r...  x[n, c, i*s + r*d - p] * w[o, c, r]
//   transposed:     y[n, o, i*s + r*d - p] += x[n, c, i] * w[c, o, r]
//
// One tap at a time over whole rows: the innermost loop is y[i] += w * x[i*s + offset], which a
// compiler vectorizes by itself for s = 1. 5 to 10 GFLOP/s, enough for a task's one-time reference.

#include <vector>

#include "core/ir/operator.h"

namespace dovetail {

template <typename Number>
std::vector<Number> direct_sum(const Operator& op, const std::vector<Number>& input,
                               const std::vector<Number>& weight);

extern template std::vector<float> direct_sum(const Operator&, const std::vector<float>&,
                                              const std::vector<float>&);
extern template std::vector<double> direct_sum(const Operator&, const std::vector<double>&,
                                               const std::vector<double>&);

}  // namespace dovetail
