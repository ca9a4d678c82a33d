// SPDX-License-Identifier: Apache-2.0
#pragma once

// direct_sum: the sum of products of an operator, before any epilogue, in f32 or f64.
//
//   y[n, o, i...] = sum over c, r...  x[n, c, i*s + r*d - p] * w[o, c, r]
//   transposed:     y[n, o, i*s + r*d - p] += x[n, c, i] * w[c, o, r]
//   as written:     Y[n,o]+=X[n,i]*W[i,o]   Y[n, o] += X[n, i] * W[i, o] for n, o, i
//
// For a few hundred positions at a time, the elements that one channel and tap contribute are
// gathered into a row, zero where there is none; eight such rows update each output channel's row
// (row_update.h). A position's terms are added in the same order whatever the number of threads:
// on all cores, 40 to 80 GFLOP/s in f64 on two, so that a layer of 100 G multiply-adds takes
// seconds.

#include <vector>

#include "core/ir/operator/operator.h"
#include "core/ir/value/array.h"

namespace dovetail {

// The sum is of x * w, or of |x * w|, which bounds the rounding.
enum class FactorPart { value, magnitude };

// Factors are of any real type. Floats and doubles are widened where they are read: no copy of them
// is made.
template <typename Number>
std::vector<Number> direct_sum(const Operator& op, const ArrayView& input, const ArrayView& weight,
                               FactorPart part = FactorPart::value);

extern template std::vector<float> direct_sum(const Operator&, const ArrayView&, const ArrayView&,
                                              FactorPart);
extern template std::vector<double> direct_sum(const Operator&, const ArrayView&, const ArrayView&,
                                               FactorPart);

}  // namespace dovetail
