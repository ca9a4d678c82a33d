// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/stored_elements.h"

#include <array>
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

// NaN, which what nobody wrote is marked with, becomes the smallest number.
template <typename Stored>
Stored whole(float element) {
  return std::isnan(element) ? std::numeric_limits<Stored>::min() : static_cast<Stored>(element);
}
template <typename Stored, typename Given>
Stored number(Given element) {
  return static_cast<Stored>(element);
}
uint8_t truth(float element) { return element != 0 ? 1 : 0; }

// A Conversion makes bytes of elements of one type, and back.
struct Conversion {
  void (*store)(std::span<const float> elements, std::byte* bytes);
  void (*load)(const std::byte* bytes, std::span<float> elements);
};

template <typename Stored, Stored (*ToStored)(float),
          float (*ToFloat)(Stored) = number<float, Stored>>
constexpr Conversion conversion() {
  return {.store =
              [](std::span<const float> elements, std::byte* bytes) {
                for (size_t i = 0; i < elements.size(); ++i) {
                  const Stored one = ToStored(elements[i]);
                  std::memcpy(bytes + i * sizeof one, &one, sizeof one);
                }
              },
          .load =
              [](const std::byte* bytes, std::span<float> elements) {
                for (size_t i = 0; i < elements.size(); ++i) {
                  Stored one{};
                  std::memcpy(&one, bytes + i * sizeof one, sizeof one);
                  elements[i] = ToFloat(one);
                }
              }};
}

constexpr std::array<Conversion, kNumStoredTypes> kConversions = {
    conversion<float, number<float, float>>(),
    conversion<uint16_t, float_to_half_bits, half_bits_to_float>(),
    conversion<int64_t, whole<int64_t>>(),
    conversion<int32_t, whole<int32_t>>(),
    conversion<int8_t, whole<int8_t>>(),
    conversion<uint8_t, whole<uint8_t>>(),
    conversion<uint8_t, truth>(),
    conversion<double, number<double, float>>(),
    conversion<int16_t, whole<int16_t>>(),
    conversion<uint16_t, whole<uint16_t>>(),
    conversion<uint32_t, whole<uint32_t>>(),
};

}  // namespace

void store_elements(std::span<const float> elements, ElementType type, std::span<std::byte> bytes) {
  check_sizes(elements.size(), type, bytes.size());
  kConversions[static_cast<size_t>(type)].store(elements, bytes.data());
}

void load_elements(std::span<const std::byte> bytes, ElementType type, std::span<float> elements) {
  check_sizes(elements.size(), type, bytes.size());
  kConversions[static_cast<size_t>(type)].load(bytes.data(), elements);
}

}  // namespace dovetail
