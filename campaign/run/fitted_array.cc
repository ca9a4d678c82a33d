// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/fitted_array.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "campaign/run/npy.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

std::span<const int64_t> without_leading_ones(const std::vector<int64_t>& shape) {
  const auto first = std::ranges::find_if(shape, [](int64_t extent) { return extent != 1; });
  return std::span(shape).subspan(static_cast<size_t>(first - shape.begin()));
}

// True if the type stores the element exactly.
bool holds(const NDArray& converted, const NDArray& array, size_t i) {
  const bool from_real = computed_type(array.type()) == ComputedType::real;
  const bool to_real = computed_type(converted.type()) == ComputedType::real;
  if (!from_real) return converted.integer(i) == array.integer(i);
  const double number = array.real(i);
  if (to_real && std::isnan(number)) return true;
  // 2^63 rounds to the same double as the largest i64.
  return converted.real(i) == number && (to_real || std::abs(number) < 0x1p63);
}

std::string print_number(const NDArray& array, size_t i) {
  if (computed_type(array.type()) != ComputedType::real) return fmt::format("{}", array.integer(i));
  const double number = array.real(i);
  if (std::isnan(number)) return "nan";
  return array.type() == ElementType::f64 ? fmt::format("{}", number)
                                          : fmt::format("{}", static_cast<float>(number));
}

}  // namespace

std::string described(const OuterTensor& tensor) {
  return fmt::format("{}: {} {}", tensor.name, name_of(tensor.type), print_shape(tensor.shape));
}

Result<NDArray> fitted(const std::string& name, const NDArray& array, const OuterTensor& tensor) {
  if (!std::ranges::equal(without_leading_ones(array.shape()), without_leading_ones(tensor.shape)))
    return fail("{}: shape {}; expected tensor {}", name, print_shape(array.shape()),
                described(tensor));
  if (array.type() == tensor.type) return array.reshaped(tensor.shape);
  const NDArray stored = converted(array, tensor.type).reshaped(tensor.shape);
  for (size_t i = 0; i < array.size(); ++i)
    if (!holds(stored, array, i))
      return fail("{}: element {} is {}, which {} does not hold; expected tensor {}", name, i,
                  print_number(array, i), name_of(tensor.type), described(tensor));
  return stored;
}

}  // namespace dovetail
