// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionReference: a region's expected tensors, computed from its computations by plain loops, real
// numbers in double and integers in 64 bits, with bounds on the error of f32 code.
//
//   const NamedArrays inputs = make_region_inputs(region, 0);
//   const RegionValues reference = evaluate_region(region, inputs);
//   agrees(y[i], reference.at("Y").values.real(i), reference.at("Y").errors[i])
//
//   next["X"] = reference.at("Y").values;      a whole network in double: one evaluation's values
//   evaluate_region(following, next)           are another one's inputs
//
// Inputs may be of any type: real numbers f16, f32 or double, integers of any width. A tensor has
// the range of its type: integers wrap, real numbers overflow to infinities, but are not rounded.
//
// It walks the values as written, one element after the other, independently of layouts, loops and
// stages: a mistake in lowering cannot be in both.
//
// Each number carries an error bound (bounded_number.h); a sum adds a fraction of its terms'
// magnitudes, given by `sums`.

#include <cstdint>

#include "core/ir/region/region.h"
#include "core/ir/value/named_arrays.h"
#include "measure/reference/computation_evaluator.h"

namespace dovetail {

// Real numbers in [-1, 1], or from 0.5 to 1.5 where a logarithm, a root or a power is taken;
// indices within what they index; of the tensors' types, and deterministic by seed.
NamedArrays make_region_inputs(const Region& region, uint64_t seed);

// True if a computed number is within the bound of the expected one. An infinity or NaN must be
// found as such; where the bound is infinite, any number is accepted.
bool agrees(double found, double expected, double error);

// All tensors that the region computes, inner ones too.
RegionValues evaluate_region(const Region& region, const NamedArrays& inputs,
                             const SumBound& sums = {});

}  // namespace dovetail
