// SPDX-License-Identifier: Apache-2.0
#pragma once

// evaluate_computation: all elements of one computation, as written.
//
//   M[i] max= X[i,j]          M from X: numbers in double, each with a bound of its error
//   I[i] = N[i] * 3           I from N: integers, in 64 bits, wrapped to the type of I
//
// Elements are evaluated one by one (element_evaluator.h) on all cores; sums of products, which
// would take minutes, are made together (product_sums.h).

#include "core/ir/operator/computation.h"
#include "core/ir/value/named_arrays.h"
#include "measure/reference/bounded_number.h"
#include "measure/reference/element_evaluator.h"

namespace dovetail {

// Reads each tensor from `made` (computed before) or else from `given`.
BoundedTensor evaluate_computation(const Computation& computation, const NamedArrays& given,
                                   const RegionValues& made, const SumBound& sums);

}  // namespace dovetail
