// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionReference: what a region's tensors must be, computed from its computations by plain loops,
// real numbers in double and integers in 64 bits, and how far f32 code may be from that.
//
//   const RegionInputs inputs = make_region_inputs(region, 0);
//   const RegionValues reference = evaluate_region(region, views_of(inputs));
//   agrees(y[i], reference.at("Y").values.real(i), reference.at("Y").errors[i])
//
//   next["X"] = reference.at("Y").values;      a whole network in double: one evaluation's values
//   evaluate_region(following, next)           are another one's inputs
//
// Inputs may be of any type: real numbers f16, f32 or double, integers of any width. A tensor is
// what its type holds: integers wrap, real numbers overflow to infinities, but are not rounded.
//
// It walks the values as they were written, one element after the other, and knows nothing of
// layouts, loops and stages: a mistake in lowering cannot be in both.
//
// Each number carries a bound of its error (bounded_number.h); a sum adds a part of its terms'
// magnitudes, as `sums` says of how they are added up.

#include <map>
#include <string>

#include "core/ir/region/region.h"
#include "core/ir/value/array.h"
#include "measure/reference/computation_evaluator.h"

namespace dovetail {

// Elements in logical order, by tensor.
using RegionInputs = std::map<std::string, Array, std::less<>>;

// The same where they lie.
RegionViews views_of(const RegionInputs& inputs);

// Real numbers in [-1, 1], or from 0.5 to 1.5 where a logarithm, a root or a power is taken;
// indices within what they index; of the tensors' types, the same for one seed on every machine.
RegionInputs make_region_inputs(const Region& region, uint64_t seed);

// Whether a number that code computed may stand for one with this bound. An infinity must be met, a
// NaN be one; where the bound is infinite, any number will do.
bool agrees(double found, double expected, double error);

// All that the region makes, inner tensors too.
RegionValues evaluate_region(const Region& region, const RegionViews& inputs,
                             const SumBound& sums = {});

}  // namespace dovetail
