// SPDX-License-Identifier: Apache-2.0
//
// Copies, as computations: each element of the output is one element of one input.
//
//     copy_computation(X[n, i], X.pad)     X.pad[n, i] = X[n, i]
//
// A padding pass and a cache_read are made so; what is recognised as one may be inlined, and its
// part computed inside its reader's loops.
#pragma once

#include <string>

#include "core/ir/operator/computation.h"

namespace dovetail {

// `copy` has the dims of `tensor`; what its layout adds to them becomes `outside` when lowered.
Computation copy_computation(const Tensor& tensor, const std::string& copy, double outside = 0);

// True when each element of the output is one element of one input, and nothing is done to it.
bool is_copy(const Computation& computation);
// A copy that ends where its source does, in all dimensions: what lies beyond it lies beyond the
// source as well. A slice does not, nor does a number for every element.
bool is_whole_copy(const Computation& computation);

// A copy, or several by bounds: tensors that are joined, or padded with a number.
//
//     Y[i, c] = select(0 <= c < 58, A[i, c], B[c - 58, i])
bool moves_elements(const Computation& computation);

}  // namespace dovetail
