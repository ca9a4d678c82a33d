// SPDX-License-Identifier: Apache-2.0
#include "core/ir/value/ndarray.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace dovetail {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

std::vector<int64_t> cast(const ArrayView& numbers, ElementType type) {
  return integers_of(converted(numbers, type));
}

TEST(NDArray, OfF16HasTheBytesOfHalves) {
  const std::vector<std::byte> expected = {std::byte{0x00}, std::byte{0x3c}, std::byte{0x00},
                                           std::byte{0x40}};
  const NDArray halves = converted(NDArray{1, 2}, ElementType::f16);
  EXPECT_EQ(std::vector<std::byte>(halves.bytes().begin(), halves.bytes().end()), expected);
}

TEST(NDArray, ComesBackFromEveryTypeThatHoldsIt) {
  const std::vector<float> numbers = {0, 1, 1, 0};
  for (int i = 0; i < kNumStoredTypes; ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_EQ(floats_of(converted(numbers, type)), numbers) << name_of(type);
  }
  const std::vector<float> reals = {0.0F, -1.5F, 65504.0F};
  for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::f64})
    EXPECT_EQ(floats_of(converted(reals, type)), reals) << name_of(type);
}

TEST(NDArray, HoldsEveryInteger) {
  const std::vector<int64_t> numbers = {16777217, (int64_t{1} << 53) + 1, kLeast, -1};
  const NDArray array(ElementType::i64, {2, 2}, numbers);
  EXPECT_EQ(integers_of(array), numbers);
  EXPECT_EQ(array.integer(1), 9007199254740993);
  EXPECT_EQ(cast(array, ElementType::i32), (std::vector<int64_t>{16777217, 1, 0, -1}));
}

TEST(NDArray, SharesItsBytes) {
  const NDArray array = std::vector<double>{0.1, 0.2, 0.3, 0.4};
  const NDArray copy = array.reshaped({2, 2});
  EXPECT_EQ(copy.bytes().data(), array.bytes().data());
  const ArrayView rows = ArrayView(copy).subspan(1, 2);
  EXPECT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.real(1), 0.3);
}

TEST(NDArray, IsEqualByTypeShapeAndBytes) {
  const NDArray array{1, std::nanf("")};
  EXPECT_EQ(array, (NDArray{1, std::nanf("")}));
  EXPECT_NE(array, array.reshaped({1, 2}));
  EXPECT_NE((NDArray{0.0F}), (NDArray{-0.0F}));
  EXPECT_NE((NDArray{1}), converted(NDArray{1}, ElementType::i32));
}

TEST(NDArray, OfNothingHasNoBytes) {
  EXPECT_TRUE(NDArray().empty());
  EXPECT_TRUE(converted(NDArray(), ElementType::i64).bytes().empty());
  EXPECT_EQ(NDArray(ElementType::f32, {}, std::vector<float>{7}).size(), 1U);
}

// onnxruntime 1.32 and numpy 2.4 give these on x86.
TEST(Casts, OfRealNumbersToIntegersAreThoseOfX86) {
  const std::vector<float> numbers = {1.5F, -1.5F, 300,    -129,          70000, 3e9F,
                                      5e9F, 1e19F, -1e19F, std::nanf(""), kInf,  -kInf};
  constexpr int64_t kLeast32 = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(cast(numbers, ElementType::i64),
            (std::vector<int64_t>{1, -1, 300, -129, 70000, 3000000000, 5000000000, kLeast, kLeast,
                                  kLeast, kLeast, kLeast}));
  EXPECT_EQ(cast(numbers, ElementType::i32),
            (std::vector<int64_t>{1, -1, 300, -129, 70000, kLeast32, kLeast32, kLeast32, kLeast32,
                                  kLeast32, kLeast32, kLeast32}));
  EXPECT_EQ(cast(numbers, ElementType::i16),
            (std::vector<int64_t>{1, -1, 300, -129, 4464, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(cast(numbers, ElementType::u16),
            (std::vector<int64_t>{1, 65535, 300, 65407, 4464, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(cast(numbers, ElementType::i8),
            (std::vector<int64_t>{1, -1, 44, 127, 112, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(cast(numbers, ElementType::u8),
            (std::vector<int64_t>{1, 255, 44, 127, 112, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(cast(numbers, ElementType::u32),
            (std::vector<int64_t>{1, 4294967295, 300, 4294967167, 70000, 3000000000, 705032704, 0,
                                  0, 0, 0, 0}));
  EXPECT_EQ(cast(numbers, ElementType::boolean), (std::vector<int64_t>(12, 1)));
}

// 13 of 23 digits are left out, with no carry.
TEST(Casts, ToTf32LeaveTheLowDigitsOut) {
  constexpr float kUlp = 0x1p-10F;
  EXPECT_EQ(rounded(1 + 2 * kUlp - 0x1p-23F, ElementType::tf32), 1 + kUlp);
  EXPECT_EQ(rounded(-1 - kUlp / 2, ElementType::tf32), -1);
  EXPECT_EQ(rounded(0x1p-126F + 0x1p-149F, ElementType::tf32), 0x1p-126F);
  EXPECT_EQ(rounded(-kInf, ElementType::tf32), -kInf);
  EXPECT_TRUE(std::isnan(rounded(std::nanf(""), ElementType::tf32)));
}

TEST(Casts, ToTwoPartsOfTf32LeaveTwoDigitsOut) {
  const auto kept = [](float number) { return rounded(number, ElementType::tf32x2); };
  EXPECT_EQ(kept(1 + 0x1p-11F + 0x1p-22F), 1 + 0x1p-11F);
  EXPECT_EQ(kept(1 + 0x1p-21F), 1 + 0x1p-21F);
  EXPECT_EQ(kept(-3 - 0x1p-20F - 0x1p-22F), -3 - 0x1p-20F - 0x1p-22F);
  EXPECT_TRUE(std::isnan(kept(kInf))) << "what is left of it is no number";
}

RC_GTEST_PROP(CastsLaw, TwoPartsOfTf32AreWithinTheirRoundoff, ()) {
  const auto number = *rc::gen::arbitrary<float>();
  RC_PRE(std::isfinite(number) && std::abs(number) > 1e-30F);
  const double error = std::abs(static_cast<double>(rounded(number, ElementType::tf32x2)) - number);
  RC_ASSERT(error <= roundoff_of(ElementType::tf32x2) * std::abs(number));
}

TEST(Casts, OfIntegersKeepTheLowBits) {
  const std::vector<int64_t> numbers = {256, -1, 128, 65536 + 7, (int64_t{1} << 32) + 5};
  EXPECT_EQ(cast(numbers, ElementType::u8), (std::vector<int64_t>{0, 255, 128, 7, 5}));
  EXPECT_EQ(cast(numbers, ElementType::i8), (std::vector<int64_t>{0, -1, -128, 7, 5}));
  EXPECT_EQ(cast(numbers, ElementType::u32),
            (std::vector<int64_t>{256, 4294967295, 128, 65543, 5}));
  EXPECT_EQ(cast(numbers, ElementType::boolean), (std::vector<int64_t>(5, 1)));
}

TEST(Casts, ToSmallerRealNumbersOverflow) {
  EXPECT_EQ(floats_of(converted(NDArray{65519, 65520, -70000}, ElementType::f16)),
            (std::vector<float>{65504, kInf, -kInf}));
  EXPECT_EQ(overflowed(0.1, ElementType::f32), 0.1);
  EXPECT_EQ(overflowed(3.4028235677973366e38, ElementType::f32), kInf);
  EXPECT_EQ(overflowed(-1e39, ElementType::f32), -kInf);
  EXPECT_EQ(overflowed(1e39, ElementType::f64), 1e39);
}

}  // namespace
}  // namespace dovetail
