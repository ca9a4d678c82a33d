// SPDX-License-Identifier: Apache-2.0
#include "core/base/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace dovetail {
namespace {

constexpr uint16_t kInfinity = 0x7c00;

// The value of half bits, from the definition of the format and in double: independent of the code
// under test.
double defined_value(uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10) & 0x1f;
  const int mantissa = bits & 0x3ff;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

TEST(Half, EveryFiniteHalfHasItsDefinedValue) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7c00) == kInfinity) continue;
    const auto half = static_cast<uint16_t>(bits);
    ASSERT_EQ(static_cast<double>(half_bits_to_float(half)), defined_value(half)) << bits;
  }
}

TEST(Half, EveryHalfSurvivesTheWayThroughFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = half_bits_to_float(half);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(half_bits_to_float(float_to_half_bits(value)))) << bits;
    } else {
      ASSERT_EQ(float_to_half_bits(value), half) << bits;
    }
  }
}

// Between two neighbours: below the middle goes down, above goes up, the middle goes to the even
// one.
TEST(Half, RoundsToNearestAndTiesToEvenBetweenAllNeighbours) {
  for (uint16_t low = 0; low < kInfinity - 1; ++low) {
    const uint16_t high = low + 1;
    const auto middle = static_cast<float>((defined_value(low) + defined_value(high)) / 2);
    const uint16_t even = (low & 1) == 0 ? low : high;
    ASSERT_EQ(float_to_half_bits(middle), even) << low;
    ASSERT_EQ(float_to_half_bits(-middle), even | 0x8000) << low;
    ASSERT_EQ(float_to_half_bits(std::nextafterf(middle, 0.0f)), low) << low;
    ASSERT_EQ(float_to_half_bits(std::nextafterf(middle, 1e9f)), high) << low;
  }
}

TEST(Half, TooLargeBecomesInfinity) {
  EXPECT_EQ(float_to_half_bits(65504.0f), 0x7bff);
  EXPECT_EQ(float_to_half_bits(std::nextafterf(65520.0f, 0.0f)), 0x7bff);
  EXPECT_EQ(float_to_half_bits(65520.0f), kInfinity);
  EXPECT_EQ(float_to_half_bits(std::numeric_limits<float>::max()), kInfinity);
  EXPECT_EQ(float_to_half_bits(-std::numeric_limits<float>::infinity()), 0xfc00);
}

TEST(Half, TooSmallBecomesZeroWithItsSign) {
  EXPECT_EQ(float_to_half_bits(0x1p-25f), 0);  // half of the smallest subnormal: a tie, to even
  EXPECT_EQ(float_to_half_bits(std::nextafterf(0x1p-25f, 1.0f)), 1);
  EXPECT_EQ(float_to_half_bits(-0x1p-30f), 0x8000);
  EXPECT_EQ(float_to_half_bits(std::numeric_limits<float>::denorm_min()), 0);
  EXPECT_EQ(float_to_half_bits(-0.0f), 0x8000);
}

TEST(Half, EveryNanStaysANan) {
  for (const uint32_t bits : {0x7f800001u, 0x7fc00000u, 0xff812345u, 0xffffffffu}) {
    EXPECT_TRUE(std::isnan(half_bits_to_float(float_to_half_bits(std::bit_cast<float>(bits)))));
  }
}

}  // namespace
}  // namespace dovetail
