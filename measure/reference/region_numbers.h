// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionNumbers: statistics of a region's inputs and outputs for estimates of errors
// (primitives/algorithm/error_estimate.h).
//
//   const auto numbers = region_numbers(region, {{"X", x}, {"W", w}}, {{"Y", y}});
//   numbers->sizes.activation_rms        of X
//   numbers->output_range                largest less smallest of Y
//
// ValueRange is the range of a tensor, the unit of its errors. An element near zero is a difference
// of large terms, in the definition's sum, too, and consumers of the tensor see all of it.

#include <limits>
#include <optional>

#include "core/ir/region/region.h"
#include "measure/reference/region_reference.h"
#include "primitives/algorithm/error_estimate.h"

namespace dovetail {

// An error over a range: 0 for no error, infinite for an empty range.
double relative_to(double range, double error);

// Largest minus smallest of the finite numbers; for a single number, its magnitude.
class ValueRange {
 public:
  void add(double value);
  void add(const ArrayView& values);
  double extent() const;
  double relative(double error) const { return relative_to(extent(), error); }

 private:
  double least_ = std::numeric_limits<double>::infinity(), largest_ = -least_;
};

struct RegionNumbers {
  OperandSizes sizes;
  double output_range = 0;
  // Amplification of an error of the sum on its way to the output (tail_reference.h). Epilogues,
  // whose slopes are about 1 at most, are ignored.
  double gain = 1;
};

// The computation that an algorithm could replace, if there is one: the region's anchor, as a sum
// of products of an activation and a constant.
const Computation* estimated_computation(const Region& region);

// The numbers of a region with these inputs and outputs, by the region's names. Nothing for a
// region that no algorithm applies to.
std::optional<RegionNumbers> region_numbers(const Region& region, const NamedArrays& given,
                                            const NamedArrays& made);

// The same for operands of make_operands(), without drawing them; those of a tail are drawn for a
// slice of the region.
std::optional<RegionNumbers> drawn_numbers(const Region& region);

// The bound of a region's error over its output's range. A tensor of f16 is off by more than a
// bound for f32 however it is computed: by four units in its last place where its operands are f16,
// too.
double bound_of(const Region& region, double max_error);

// The estimated error of a region's output over its range: that of the sum, amplified by a tail.
// Nothing if no algorithm applies to the region.
std::optional<double> expected_error(const Region& region,
                                     const std::optional<Algorithm>& algorithm,
                                     const RegionNumbers& numbers);

// The largest plausible error of an algorithm's sum of products, absolute and before any tail: many
// times the estimate, so that only wrong code exceeds it. 0 for the definition's sums.
double explained_error(const Region& region, const std::optional<Algorithm>& algorithm,
                       const OperandSizes& sizes);

}  // namespace dovetail
