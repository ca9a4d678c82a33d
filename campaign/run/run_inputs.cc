// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>

#include "campaign/run/npy.h"
#include "core/base/half.h"

namespace dovetail {
namespace {

std::string file_of(const std::string& folder, size_t number) {
  return (std::filesystem::path(folder) / fmt::format("input_{}.npy", number)).string();
}

std::string described(const OuterTensor& tensor) {
  return fmt::format("{}: {} {}", tensor.name, name_of(tensor.type), print_shape(tensor.shape));
}

std::span<const int64_t> without_leading_ones(const std::vector<int64_t>& shape) {
  const auto first = std::ranges::find_if(shape, [](int64_t extent) { return extent != 1; });
  return std::span(shape).subspan(static_cast<size_t>(first - shape.begin()));
}

bool is_whole(float value, float least, float most) {
  return value >= least && value <= most && value == std::floor(value);
}

// True when the type stores the value as it is.
bool holds(ElementType type, float value) {
  constexpr float kExactIntegers = 1 << 24;  // a host value is a float
  switch (type) {
    case ElementType::f16:
      return half_bits_to_float(float_to_half_bits(value)) == value || std::isnan(value);
    case ElementType::i64:
    case ElementType::i32:
      return is_whole(value, -kExactIntegers, kExactIntegers);
    case ElementType::i8:
      return is_whole(value, -128, 127);
    case ElementType::u8:
      return is_whole(value, 0, 255);
    case ElementType::boolean:
      return is_whole(value, 0, 1);
    default:
      return true;
  }
}

Result<void> check_fit(const std::string& path, const NpyArray& array, const OuterTensor& tensor) {
  if (!std::ranges::equal(without_leading_ones(array.shape), without_leading_ones(tensor.shape)))
    return fail(fmt::format("{}: shape {}; expected tensor {}", path, print_shape(array.shape),
                            described(tensor)));
  const auto odd =
      std::ranges::find_if(array.values, [&](float value) { return !holds(tensor.type, value); });
  if (odd == array.values.end()) return {};
  return fail(fmt::format("{}: element {} is {}, which {} does not hold; expected tensor {}", path,
                          odd - array.values.begin(), *odd, name_of(tensor.type),
                          described(tensor)));
}

}  // namespace

Result<RegionInputs> read_inputs(const std::string& folder, const std::vector<OuterTensor>& given) {
  RegionInputs inputs;
  for (size_t number = 0; number < given.size(); ++number) {
    const std::string path = file_of(folder, number);
    if (!std::filesystem::exists(path))
      return fail(
          fmt::format("{}: no such file; expected tensor {}", path, described(given[number])));
    NpyArray array = TRY(read_npy(path));
    TRY(check_fit(path, array, given[number]));
    inputs[given[number].name] = std::move(array.values);
  }
  const std::string beyond = file_of(folder, given.size());
  if (std::filesystem::exists(beyond))
    return fail(fmt::format("{}: one input too many; expected {}", beyond, given.size()));
  return inputs;
}

}  // namespace dovetail
