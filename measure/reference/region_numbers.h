// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionNumbers: what an estimate of errors needs of the numbers that a region is given and that it
// gives (primitives/algorithm/error_estimate.h).
//
//   const auto numbers = region_numbers(region, {{"X", x}, {"W", w}}, {{"Y", y}});
//   numbers->sizes.activation_rms        of X
//   numbers->output_range                largest less smallest of Y
//
// ValueRange is what errors are relative to: a tensor's range. An element near zero is a difference
// of large terms, in the definition's sum, too, and whatever reads the tensor next sees all of it.

#include <limits>
#include <optional>

#include "core/ir/region/region.h"
#include "measure/reference/region_reference.h"
#include "primitives/algorithm/error_estimate.h"

namespace dovetail {

// An error over a range: 0 of none, infinite where there is no range.
double relative_to(double range, double error);

// Largest less smallest of the finite numbers among some; of one number, its size.
class ValueRange {
 public:
  void add(double value);
  double extent() const;
  double relative(double error) const { return relative_to(extent(), error); }

 private:
  double least_ = std::numeric_limits<double>::infinity(), largest_ = -least_;
};

struct RegionNumbers {
  OperandSizes sizes;
  double output_range = 0;
  // By how much an error of the sum grows on its way to the output (tail_reference.h). Epilogues,
  // whose slopes are about 1 at most, do not count.
  double gain = 1;
};

// The computation that an algorithm would be of, where the region has one: its anchor, a sum of
// products of an activation and a constant.
const Computation* estimated_computation(const Region& region);

// Operands by the region's names, as the region reads them, and the tensors that it makes. Nothing
// of a region that no algorithm is of.
std::optional<RegionNumbers> region_numbers(const Region& region, const RegionViews& given,
                                            const RegionViews& made);

// Of operands that are drawn as make_operands draws them, without drawing any; those of a tail are
// drawn for a slice of the region.
std::optional<RegionNumbers> drawn_numbers(const Region& region);

// The bound of a region's error over its output's range: a tensor of f16 is off by more than a
// bound for f32 whatever computes it, by four units of its last digit where its operands are f16,
// too.
double bound_of(const Region& region, double max_error);

// The estimated error of a region's output over its range: of the sum, and what a tail makes of
// it. Nothing where no algorithm is of the region.
std::optional<double> expected_error(const Region& region,
                                     const std::optional<Algorithm>& algorithm,
                                     const RegionNumbers& numbers);

// By how much a sum of products may be off that an algorithm makes of these numbers, absolute and
// before any tail: many times the estimate, which is what wrong code exceeds. 0 of the definition's
// sums.
double explained_error(const Region& region, const std::optional<Algorithm>& algorithm,
                       const OperandSizes& sizes);

}  // namespace dovetail
