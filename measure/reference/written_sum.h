// SPDX-License-Identifier: Apache-2.0
#pragma once

// A user's own sum of products, element by element, straight from its text's meaning:
//
//   Y[n,o]+=X[n,i]*W[i,o]   for n, o, i: Y[n, o] += X[n, i] * W[i, o]   X is 0 outside its shape
//
// Slow (every index is evaluated for every product) and independent of everything but WrittenSum.

#include <vector>

#include "core/ir/operator/written_sum.h"

namespace dovetail {

template <typename Number>
std::vector<Number> written_sum(const WrittenSum& sum, const std::vector<Number>& input,
                                const std::vector<Number>& weight);

}  // namespace dovetail
