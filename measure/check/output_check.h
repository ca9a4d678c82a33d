// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks whether a candidate computed its region's definition.
//
//   const auto data = CheckData::make(region, DataKind::small_integers, seed);   // once a task
//   fill_inputs(data->inputs, program, plan, arena); // packed by each buffer's layout
//   ... the worker runs the program ...
//   const OutputCheck check = check_output(*data, program, plan, arena);
//   check.status                                     // ok, wrong_output or out_of_bounds
//
// On small integers every sum is exact, so a right output equals the reference in any order of
// additions. With rounding (real data, f16, an epilogue with exp, tanh or erf):
//
//   |y - ref| <= c * scale + e * epilogue_scale      c = 1e-6 (f16: 2e-3), e = 4e-6
//                                                    c = 1e-5 Winograd F(2,3), 1e-4 F(4,3), pairs
//                                                    c = 2e-5 factors of tf32 and tf32x2
//
// with scale = sum |x * w| + |bias| + |addend|, and epilogue_scale = 1 + |input of the epilogue|,
// because the kernels' polynomials are accurate to some 1e-6 of that. Elements of a written region
// have bounds of their own (measure/reference/bounded_number.h).

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/trace.h"
#include "core/record/line/measure_result.h"
#include "measure/check/arena_plan.h"
#include "measure/reference/check_data.h"
#include "measure/reference/region_numbers.h"

namespace dovetail {

// Poisons the arena, then packs the inputs into it. The error names a tensor that is missing or has
// a different number of elements.
Result<void> fill_inputs(const NamedArrays& inputs, const Program& program, const ArenaPlan& plan,
                         std::span<std::byte> arena);

struct OutputCheck {
  Status status = Status::ok;
  std::string reason = {};  // "Y[0, 3, 5, 7] is 12, expected 14; 17 of 200704 elements are wrong"
  double max_abs_error = 0;
  double max_rel_error = 0;  // |y - ref| / scale
  double range_error = 0;    // max_abs_error over the expected range, for the worst tensor
};

// The factors c and e above.
struct Tolerance {
  double sums = 0;
  double epilogues = 4e-6;
  // Added to all: the absolute error allowed to an algorithm whose rounding differs from the
  // definition's.
  double algorithm = 0;
};
Tolerance tolerance_of(const Region& region, const std::optional<Algorithm>& algorithm);

// The limit on |y - ref| of one element: the formula above, or the element's own bound.
double allowed_error(const Reference& reference, size_t element, const Tolerance& tolerance);

// Compares one tensor, in logical order. Integers are compared exactly. An expected infinity or NaN
// must be found as such; where the bound is infinite, any number is accepted.
OutputCheck compare_output(const std::string& tensor, std::span<const int64_t> shape,
                           const ArrayView& found, const Expected& expected,
                           const Tolerance& tolerance);

// OutputComparison: the same, part by part, for a tensor whose expected numbers are never in memory
// all at once (measure/reference/region_slices.h).
//
//   OutputComparison comparison("Y", shape, found, tolerance);
//   comparison.add(0, expected_of_the_first_half);
//   comparison.add(found.size() / 2, expected_of_the_second);
//   comparison.result()                 // as of the whole tensor
class OutputComparison {
 public:
  // `found` must outlive the comparison.
  OutputComparison(std::string tensor, std::span<const int64_t> shape, const ArrayView& found,
                   Tolerance tolerance);

  // Compares the elements from `first` on; `found` must have all of them (CHECKed).
  void add(size_t first, const Expected& expected);
  OutputCheck result() const;
  const std::string& tensor() const { return tensor_; }

 private:
  std::string tensor_;
  std::vector<int64_t> shape_;
  ArrayView found_;
  Tolerance tolerance_;
  OutputCheck check_;        // without a reason and range_error
  ValueRange range_;         // range of the expected numbers
  std::string first_wrong_;  // "Y[0, 3, 5, 7] is 12, expected 14"
  size_t wrong_ = 0;
};

// Programs of inexact algorithms must be given real data.
OutputCheck check_output(const CheckData& data, const Program& program, const ArenaPlan& plan,
                         std::span<const std::byte> arena,
                         const std::optional<Algorithm>& algorithm = {});

}  // namespace dovetail
