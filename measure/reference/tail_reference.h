// SPDX-License-Identifier: Apache-2.0
#pragma once

// tail_reference: the expected output of an operator with a tail (core/ir/operator/tail.h).
//
//   const Reference reference = reference_with_tail(op, inputs);
//   tail_gain(region, inputs)                of +tail(@*A[o]): the largest |A|
//
// The sum and the epilogues are computed from the operator's fields, as without a tail; the tail is
// then evaluated as written, with an error bound for each element that starts from the sum's error.
// That is small for a direct sum and large for Winograd, and a tail may multiply it by anything, or
// round it to a step: so there are two bounds, Reference::errors and ::wide_errors.

#include "core/ir/region/region.h"
#include "core/ir/value/named_arrays.h"
#include "measure/reference/bounded_number.h"
#include "measure/reference/reference.h"

namespace dovetail {

// Precondition of all three: a tail. `inputs` come from make_inputs() or from a network.
Reference reference_with_tail(const Operator& op, const NamedArrays& inputs,
                              const SumBound& sums = {});
// Without bounds, in half the time.
NDArray values_with_tail(const Operator& op, const NamedArrays& inputs);

// The tail's largest amplification of an error of a sum with these inputs, over some slices of the
// region, which have each kind of element. Infinite if it rounds to whole numbers or makes truths:
// there the smallest error may become a whole step.
double tail_gain(const Region& region, const NamedArrays& inputs);

// Tensors that the tail reads, drawn as in make_region_inputs(); divisors are not near zero.
NamedArrays make_tail_inputs(const Operator& op, uint64_t seed);

}  // namespace dovetail
