// SPDX-License-Identifier: Apache-2.0
#pragma once

// ComputationEvaluator: evaluates one computation as written, element by element.
//
//   M[i] max= X[i,j]          M from X: numbers in double, each with a bound of its error
//   I[i] = N[i] * 3           I from N: integers, in 64 bits, wrapped to the type of I
//
// Values are first compiled to a list of nodes, each with its type and with indices over numbered
// variables, so that evaluating an element needs no look-up.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/ir/operator/computation.h"
#include "core/ir/value/named_arrays.h"
#include "core/ir/value/ndarray.h"
#include "measure/reference/bounded_number.h"

namespace dovetail {

// Elements with error bounds. Real numbers are doubles (f64), integers and truths i64.
struct BoundedTensor {
  NDArray values;
  std::vector<double> errors;  // absolute
};
using RegionValues = std::map<std::string, BoundedTensor, std::less<>>;

// Reads each tensor from `made` (computed before) or else from `given`.
BoundedTensor evaluate_computation(const Computation& computation, const NamedArrays& given,
                                   const RegionValues& made, const SumBound& sums);

}  // namespace dovetail
