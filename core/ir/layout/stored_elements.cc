// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/stored_elements.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/base/check.h"
#include "core/base/half.h"

namespace dovetail {
namespace {

void check_sizes(size_t num_elements, ElementType type, size_t num_bytes) {
  CHECK(num_elements * static_cast<size_t>(bytes_of(type)) == num_bytes,
        "as many bytes as the elements take");
}

template <typename Stored>
void store_as(std::span<const float> elements, std::byte* bytes, Stored (*stored)(float)) {
  for (size_t i = 0; i < elements.size(); ++i) {
    const Stored one = stored(elements[i]);
    std::memcpy(bytes + i * sizeof one, &one, sizeof one);
  }
}

template <typename Stored>
void load_as(const std::byte* bytes, std::span<float> elements, float (*loaded)(Stored)) {
  for (size_t i = 0; i < elements.size(); ++i) {
    Stored one{};
    std::memcpy(&one, bytes + i * sizeof one, sizeof one);
    elements[i] = loaded(one);
  }
}

// NaN, which what nobody wrote is marked with, becomes the smallest number.
template <typename Stored>
Stored whole(float element) {
  return std::isnan(element) ? std::numeric_limits<Stored>::min() : static_cast<Stored>(element);
}
template <typename Stored>
float number(Stored element) {
  return static_cast<float>(element);
}
uint8_t truth(float element) { return element != 0 ? 1 : 0; }

}  // namespace

void store_elements(std::span<const float> elements, ElementType type, std::span<std::byte> bytes) {
  check_sizes(elements.size(), type, bytes.size());
  if (elements.empty()) return;
  switch (type) {
    case ElementType::f32:
      std::memcpy(bytes.data(), elements.data(), bytes.size());
      return;
    case ElementType::f16:
      return store_as<uint16_t>(elements, bytes.data(), float_to_half_bits);
    case ElementType::i64:
      return store_as<int64_t>(elements, bytes.data(), whole<int64_t>);
    case ElementType::i32:
      return store_as<int32_t>(elements, bytes.data(), whole<int32_t>);
    case ElementType::i8:
      return store_as<int8_t>(elements, bytes.data(), whole<int8_t>);
    case ElementType::u8:
      return store_as<uint8_t>(elements, bytes.data(), whole<uint8_t>);
    default:
      return store_as<uint8_t>(elements, bytes.data(), truth);
  }
}

void load_elements(std::span<const std::byte> bytes, ElementType type, std::span<float> elements) {
  check_sizes(elements.size(), type, bytes.size());
  if (elements.empty()) return;
  switch (type) {
    case ElementType::f32:
      std::memcpy(elements.data(), bytes.data(), bytes.size());
      return;
    case ElementType::f16:
      return load_as<uint16_t>(bytes.data(), elements, half_bits_to_float);
    case ElementType::i64:
      return load_as<int64_t>(bytes.data(), elements, number<int64_t>);
    case ElementType::i32:
      return load_as<int32_t>(bytes.data(), elements, number<int32_t>);
    case ElementType::i8:
      return load_as<int8_t>(bytes.data(), elements, number<int8_t>);
    default:
      return load_as<uint8_t>(bytes.data(), elements, number<uint8_t>);
  }
}

}  // namespace dovetail
