// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionReference: what a region's tensors must be, computed from its computations by plain loops
// in double, and how far f32 code may be from that.
//
//   const RegionInputs inputs = make_region_inputs(region, 0);
//   const auto reference = evaluate_region(region, views_of(inputs));
//   agrees(y[i], reference.at("Y").values[i], reference.at("Y").errors[i])
//
// It walks the values as they were written, one element after the other, and knows nothing of
// layouts, loops and stages: a mistake in lowering cannot be in both.
//
// Each number carries a bound of its error (bounded_number.h); a sum adds a part of its terms'
// magnitudes, in any order (summation_error).

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/ir/region/region.h"

namespace dovetail {

// Elements in logical order, by tensor; integers and truths as whole numbers.
using RegionInputs = std::map<std::string, std::vector<float>, std::less<>>;

// The same where they lie: the weights of a network are too large for a copy.
using RegionViews = std::map<std::string, std::span<const float>, std::less<>>;
RegionViews views_of(const RegionInputs& inputs);

struct BoundedTensor {
  std::vector<double> values;
  std::vector<double> errors;  // absolute
};
using RegionValues = std::map<std::string, BoundedTensor, std::less<>>;

// Real numbers in [-1, 1], or from 0.5 to 1.5 where a logarithm, a root or a power is taken;
// indices within what they index; the same for one seed on every machine.
RegionInputs make_region_inputs(const Region& region, uint64_t seed);

// Whether a number that code computed may stand for one with this bound. Where the bound is
// infinite or nothing is defined (NaN), any may.
bool agrees(double found, double expected, double error);

// All that the region makes, inner tensors too.
RegionValues evaluate_region(const Region& region, const RegionViews& inputs);

}  // namespace dovetail
