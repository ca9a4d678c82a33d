// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/expected_outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/check.h"
#include "measure/output_check.h"
#include "measure/reference/summation_error.h"

namespace dovetail {
namespace {

std::vector<float> values_of(const RegionInputs& inputs, const std::string& tensor) {
  const auto found = inputs.find(tensor);
  return found == inputs.end() ? std::vector<float>{} : found->second;
}

ExpectedOutput expected_of(const Operator& op, const Trace& trace, const RegionInputs& inputs) {
  Reference reference = compute_reference(op, {.input = values_of(inputs, "X"),
                                               .weight = values_of(inputs, "W"),
                                               .bias = values_of(inputs, "bias"),
                                               .addend = values_of(inputs, "add")});
  const double tolerance = std::max(sum_tolerance(op, trace.algorithm),
                                    summation_error(static_cast<double>(products_per_output(op))));
  ExpectedOutput expected;
  for (size_t i = 0; i < reference.values.size(); ++i)
    expected.errors.push_back(allowed_error(reference, i, tolerance));
  expected.values = std::move(reference.values);
  expected.scale = std::move(reference.scale);
  return expected;
}

ExpectedOutput expected_of(BoundedTensor tensor) {
  double largest = 0;
  for (const double value : tensor.values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return {
      .values = std::move(tensor.values), .errors = std::move(tensor.errors), .scale = {largest}};
}

// "Y[0, 3, 5, 7]" for a row-major position.
std::string element_name(const std::string& tensor, const std::vector<int64_t>& shape,
                         size_t position) {
  std::vector<int64_t> index(shape.size());
  auto rest = static_cast<int64_t>(position);
  for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
    index[axis] = rest % shape[axis];
  return fmt::format("{}[{}]", tensor, fmt::join(index, ", "));
}

void note_error(double found, double expected, double scale, OutputErrors& errors) {
  if (found == expected || std::isnan(expected)) return;  // infinities, too
  double error = std::abs(found - expected);
  if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
  errors.max_abs_error = std::max(errors.max_abs_error, error);
  if (scale > 0) error /= scale;
  errors.max_rel_error = std::max(errors.max_rel_error, error);
}

}  // namespace

ExpectedOutputs expected_outputs(const Region& region, const Trace& trace,
                                 const RegionInputs& inputs) {
  ExpectedOutputs expected;
  if (region.op) {
    expected[region.outputs.front()] = expected_of(*region.op, trace, inputs);
    return expected;
  }
  RegionValues values = evaluate_region(region, inputs);
  for (const std::string& name : region.outputs)
    expected[name] = expected_of(std::move(values.find(name)->second));
  return expected;
}

OutputErrors compare(const std::string& name, const std::vector<int64_t>& shape,
                     std::span<const float> found, const ExpectedOutput& expected) {
  CHECK(found.size() == expected.values.size());
  OutputErrors errors;
  size_t wrong = 0, first = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const double scale = expected.scale.size() == 1 ? expected.scale[0] : expected.scale[i];
    note_error(found[i], expected.values[i], scale, errors);
    if (agrees(found[i], expected.values[i], expected.errors[i])) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong > 0) {
    errors.reason =
        fmt::format("{} is {}, expected {} to within {:.3g}; {} of {} elements are wrong",
                    element_name(name, shape, first), found[first], expected.values[first],
                    expected.errors[first], wrong, found.size());
  }
  return errors;
}

}  // namespace dovetail
