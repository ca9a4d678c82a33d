// SPDX-License-Identifier: Apache-2.0
//
// Copies, as computations: each element of the output is one element of one input.
//
//     copy_computation(X[n, i], X.pad)     X.pad[n, i] = X[n, i]
//
// Padding passes and cache_reads are such. A computation that is recognised as a copy may be
// inlined, or computed part by part inside its consumer's loops.
#pragma once

#include <string>

#include "core/ir/operator/computation.h"

namespace dovetail {

// `copy` has the dims of `tensor`; padding that its layout adds becomes `outside` when lowered.
Computation copy_computation(const Tensor& tensor, const std::string& copy, double outside = 0);

// Whether each element of the output is one unchanged element of one input.
bool is_copy(const Computation& computation);
// Whether it is a copy with its source's extent in all dimensions: elements beyond it are beyond
// the source, too. A slice is not, nor is a broadcast number.
bool is_whole_copy(const Computation& computation);

// Whether it is a copy, or several selected by bounds: a concatenation, or padding with a number.
//
//     Y[i, c] = select(0 <= c < 58, A[i, c], B[c - 58, i])
bool moves_elements(const Computation& computation);

}  // namespace dovetail
