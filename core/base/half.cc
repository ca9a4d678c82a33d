// SPDX-License-Identifier: Apache-2.0
#include "core/base/half.h"

#include <bit>

namespace dovetail {
namespace {

constexpr uint32_t kFloatInfinity = 0x7f800000u;
constexpr uint32_t kFirstTooLarge = 0x477ff000u;   // 65520: rounds to infinity, and all above
constexpr uint32_t kSmallestNormal = 0x38800000u;  // 2^-14: the smallest half that is not subnormal
constexpr uint32_t kRebias = (127u - 15u) << 23;   // between the exponents' biases, in float bits
constexpr uint32_t kDroppedBits = 13;              // 23 mantissa bits of a float, 10 of a half

// Drops `count` low bits: nearest, ties to even.
uint32_t round_shift(uint32_t value, uint32_t count) {
  const uint32_t kept = value >> count;
  const uint32_t dropped = value & ((1u << count) - 1u);
  const uint32_t half_way = 1u << (count - 1u);
  const bool up = dropped > half_way || (dropped == half_way && (kept & 1u) != 0u);
  return kept + (up ? 1u : 0u);
}

uint32_t magnitude_to_half(uint32_t magnitude) {
  if (magnitude > kFloatInfinity) return 0x7e00u;  // a quiet NaN
  if (magnitude >= kFirstTooLarge) return 0x7c00u;
  // A carry out of the mantissa moves into the exponent, as it should.
  if (magnitude >= kSmallestNormal) return round_shift(magnitude - kRebias, kDroppedBits);

  // Subnormal: the result counts units of 2^-24. value = mantissa * 2^(exponent - 150).
  const uint32_t exponent = magnitude >> 23;
  const uint32_t shift = 126u - exponent;
  if (shift > 24u) return 0u;  // below half of the smallest subnormal
  const uint32_t mantissa = (magnitude & 0x007fffffu) | 0x00800000u;
  return round_shift(mantissa, shift);
}

}  // namespace

uint16_t float_to_half_bits(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  return static_cast<uint16_t>(sign | magnitude_to_half(bits & 0x7fffffffu));
}

uint16_t float_to_bfloat_bits(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > kFloatInfinity) return static_cast<uint16_t>(bits >> 16 | 0x40u);
  return static_cast<uint16_t>(round_shift(bits, 16));
}

float bfloat_bits_to_float(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

float half_bits_to_float(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0u) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  const uint32_t float_exponent = exponent == 0x1fu ? 0xffu : exponent + 112u;
  return std::bit_cast<float>(sign | (float_exponent << 23) | (mantissa << kDroppedBits));
}

}  // namespace dovetail
