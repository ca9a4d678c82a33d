// SPDX-License-Identifier: Apache-2.0
#pragma once

// direct_sum: the sum of products of an operator, before any epilogue, in f32 or f64.
//
//   y[n, o, i...] = sum over c, r...  x[n, c, i*s + r*d - p] * w[o, c, r]
//   transposed:     y[n, o, i*s + r*d - p] += x[n, c, i] * w[c, o, r]
//   as written:     Y[n,o]+=X[n,i]*W[i,o]   Y[n, o] += X[n, i] * W[i, o] for n, o, i
//
// Matrix products and written sums are contractions (contraction.h). Of a convolution, the elements
// that one channel and tap contribute to a few hundred positions are gathered into a row, zero
// where there is none; eight such rows update each output channel's row (row_update.h). The order
// of a position's terms does not depend on the number of threads. All cores are used: 10 to 20
// GFLOP/s in f64 on each, so that a layer of 100 G multiply-adds takes seconds.

#include <vector>

#include "core/ir/operator/operator.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

// Sums x * w, or |x * w|, which bounds the rounding error.
enum class FactorPart { value, magnitude };

// Factors are of any real type. Floats and doubles are widened as they are read, without a copy but
// of a convolution's weights.
template <typename Number>
std::vector<Number> direct_sum(const Operator& op, const ArrayView& input, const ArrayView& weight,
                               FactorPart part = FactorPart::value);

extern template std::vector<float> direct_sum(const Operator&, const ArrayView&, const ArrayView&,
                                              FactorPart);
extern template std::vector<double> direct_sum(const Operator&, const ArrayView&, const ArrayView&,
                                               FactorPart);

}  // namespace dovetail
