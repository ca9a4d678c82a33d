// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/region_numbers.h"

#include <algorithm>
#include <cmath>

#include "measure/reference/check_data.h"
#include "measure/reference/region_slices.h"
#include "measure/reference/tail_reference.h"

namespace dovetail {

double relative_to(double range, double error) {
  if (error == 0) return 0;
  return range > 0 ? error / range : std::numeric_limits<double>::infinity();
}

void ValueRange::add(double value) {
  if (!std::isfinite(value)) return;
  least_ = std::min(least_, value);
  largest_ = std::max(largest_, value);
}

void ValueRange::add(const ArrayView& values) {
  if (values.type() == ElementType::f32) {
    for (const float value : values.as<float>()) add(value);
    return;
  }
  for (size_t i = 0; i < values.size(); ++i) add(values.real(i));
}

double ValueRange::extent() const {
  if (least_ > largest_) return 0;
  return least_ < largest_ ? largest_ - least_ : std::abs(largest_);
}

const Computation* estimated_computation(const Region& region) {
  const Computation* const anchor = anchor_of(region);
  return anchor != nullptr && product_operands(*anchor) ? anchor : nullptr;
}

std::optional<RegionNumbers> region_numbers(const Region& region, const NamedArrays& given,
                                            const NamedArrays& made) {
  const Computation* computation = estimated_computation(region);
  if (computation == nullptr) return std::nullopt;
  const ProductOperands operands = *product_operands(*computation);
  const auto activation = given.find(operands.activation), constant = given.find(operands.constant);
  if (activation == given.end() || constant == given.end()) return std::nullopt;
  RegionNumbers numbers{.sizes = sizes_of_constants(*computation, constant->second)};
  take_activations(activation->second, numbers.sizes);
  ValueRange range;
  for (const auto& [name, tensor] : made) range.add(tensor);
  numbers.output_range = range.extent();
  if (region.op && region.op->tail) numbers.gain = tail_gain(region, given);
  return numbers;
}

namespace {

void take_drawn_tail(const Region& region, RegionNumbers& numbers) {
  constexpr int64_t kElements = 1 << 14;
  const Region slice = slices_of(region, kElements).front().region;
  const NamedArrays inputs = make_inputs(slice, DataKind::real, 0);
  const NDArray made = values_with_tail(*slice.op, inputs);
  ValueRange range;
  range.add(made);
  numbers.output_range = range.extent();
  numbers.gain = tail_gain(slice, inputs);
}

}  // namespace

std::optional<RegionNumbers> drawn_numbers(const Region& region) {
  const Computation* computation = estimated_computation(region);
  if (computation == nullptr) return std::nullopt;
  double products = 1;
  for (const Axis& axis : computation->axes)
    if (axis.reduction) products *= static_cast<double>(axis.extent);
  // Activations are in [-1, 1], and constants such that sums have a standard deviation of 0.58.
  const double rms = 1 / std::sqrt(3.0);
  constexpr double kRangeOverDeviation = 6;
  RegionNumbers numbers{.sizes = {.activation_rms = rms,
                                  .activation_mean = 0,
                                  .constant_rms = 1 / std::sqrt(products),
                                  .column_norm = 1},
                        .output_range = kRangeOverDeviation * rms};
  if (region.op && region.op->tail) take_drawn_tail(region, numbers);
  return numbers;
}

double bound_of(const Region& region, double max_error) {
  double rounding = 0;
  for (const auto& [name, c] : region.computations)
    if (const ElementType type = tensor_named(c, c.output.tensor).type; is_half(type))
      rounding = std::max(rounding, 4 * roundoff_of(type));
  return max_error > 0 ? std::max(max_error, rounding) : max_error;
}

std::optional<double> expected_error(const Region& region,
                                     const std::optional<Algorithm>& algorithm,
                                     const RegionNumbers& numbers) {
  const Computation* computation = estimated_computation(region);
  if (computation == nullptr) return std::nullopt;
  const std::optional<double> error = estimated_error(*computation, algorithm, numbers.sizes);
  if (!error) return std::nullopt;
  return relative_to(numbers.output_range, *error > 0 ? *error * numbers.gain : 0);
}

double explained_error(const Region& region, const std::optional<Algorithm>& algorithm,
                       const OperandSizes& sizes) {
  constexpr double kMostOfEstimate = 16;
  const Computation* computation = estimated_computation(region);
  if (!algorithm || computation == nullptr) return 0;
  return kMostOfEstimate * estimated_error(*computation, algorithm, sizes).value_or(0);
}

}  // namespace dovetail
