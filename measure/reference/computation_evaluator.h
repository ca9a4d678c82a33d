// SPDX-License-Identifier: Apache-2.0
#pragma once

// ComputationEvaluator: one computation, element by element, as it is written.
//
//   M[i] max= X[i,j]          M from X: numbers in double, each with a bound of its error
//   I[i] = N[i] * 3           I from N: integers, in 64 bits, wrapped to the type of I
//
// Values become a list of nodes first, each with its type and with indices over numbered variables,
// so that nothing is looked up for an element.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/ir/operator/computation.h"
#include "core/ir/value/array.h"
#include "measure/reference/bounded_number.h"

namespace dovetail {

// Elements with bounds of their errors. Real numbers are doubles (f64), integers and truths i64.
struct BoundedTensor {
  Array values;
  std::vector<double> errors;  // absolute
};
using RegionValues = std::map<std::string, BoundedTensor, std::less<>>;
using RegionViews = std::map<std::string, ArrayView, std::less<>>;

// Tensors are those that were `made` before, or else `given`.
BoundedTensor evaluate_computation(const Computation& computation, const RegionViews& given,
                                   const RegionValues& made, const SumBound& sums);

}  // namespace dovetail
