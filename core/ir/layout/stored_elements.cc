// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/stored_elements.h"

#include <cstdint>
#include <cstring>

#include "core/base/check.h"
#include "core/base/half.h"

namespace dovetail {
namespace {

void check_sizes(size_t num_elements, DataType dtype, size_t num_bytes) {
  CHECK(num_elements * static_cast<size_t>(bytes_of(dtype)) == num_bytes,
        "as many bytes as the elements take");
}

}  // namespace

void store_elements(std::span<const float> elements, DataType dtype, std::span<std::byte> bytes) {
  check_sizes(elements.size(), dtype, bytes.size());
  if (elements.empty()) return;
  if (dtype == DataType::f32) {
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    return;
  }
  for (size_t i = 0; i < elements.size(); ++i) {
    const uint16_t half = float_to_half_bits(elements[i]);
    std::memcpy(bytes.data() + i * sizeof half, &half, sizeof half);
  }
}

void load_elements(std::span<const std::byte> bytes, DataType dtype, std::span<float> elements) {
  check_sizes(elements.size(), dtype, bytes.size());
  if (elements.empty()) return;
  if (dtype == DataType::f32) {
    std::memcpy(elements.data(), bytes.data(), bytes.size());
    return;
  }
  for (size_t i = 0; i < elements.size(); ++i) {
    uint16_t half = 0;
    std::memcpy(&half, bytes.data() + i * sizeof half, sizeof half);
    elements[i] = half_bits_to_float(half);
  }
}

}  // namespace dovetail
