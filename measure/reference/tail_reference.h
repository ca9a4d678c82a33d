// SPDX-License-Identifier: Apache-2.0
#pragma once

// tail_reference: what an operator with a tail (core/ir/operator/tail.h) makes.
//
//   const Reference reference = reference_with_tail(op, views_of(inputs));
//   tail_gain(region, views_of(inputs))      of +tail(@*A[o]): the largest |A|
//
// The sum and the epilogues are computed from the operator's fields, as without a tail; the tail is
// then evaluated as it stands, with a bound of each element's error that begins with what the sum
// may be off. That is little for a direct sum and much for Winograd, and a tail may multiply it by
// anything, or round it to a step: so there are two bounds, Reference::errors and ::wide_errors.

#include "core/ir/region/region.h"
#include "measure/reference/reference.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

// All three require a tail. `inputs` are those of make_inputs(), or a network's own.
Reference reference_with_tail(const Operator& op, const RegionViews& inputs,
                              const SumBound& sums = {});
// Its values alone, in half the time.
Array values_with_tail(const Operator& op, const RegionViews& inputs);

// By how much the tail makes an error of a sum larger at most, with these inputs: of some slices of
// the region, which see each kind of element. Infinite where it rounds to whole numbers or makes
// truths: there the smallest error may become a whole step.
double tail_gain(const Region& region, const RegionViews& inputs);

// Tensors that the tail reads, drawn as in make_region_inputs(); not near zero where they divide.
RegionInputs make_tail_inputs(const Operator& op, uint64_t seed);

}  // namespace dovetail
