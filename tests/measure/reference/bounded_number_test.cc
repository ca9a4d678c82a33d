// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/bounded_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dovetail {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kMost = std::numeric_limits<float>::max();
const double kNaN = std::nan("");

void expect_certain(const BoundedNumber& number, double value) {
  EXPECT_EQ(number.error, 0);
  if (std::isnan(value))
    EXPECT_TRUE(std::isnan(number.value));
  else
    EXPECT_EQ(number.value, value);
}

TEST(BoundedNumber, OverflowsAsF32Does) {
  expect_certain(apply(BinaryOp::add, BoundedNumber{3e38}, BoundedNumber{3e38}), kInf);
  expect_certain(apply(BinaryOp::mul, BoundedNumber{-1e30}, BoundedNumber{1e30}), -kInf);
  expect_certain(apply(UnaryOp::exp, BoundedNumber{100}), kInf);
  EXPECT_EQ(apply(BinaryOp::add, BoundedNumber{kMost}, BoundedNumber{1}).value, kMost + 1)
      << "rounds down";
  EXPECT_LT(apply(BinaryOp::sub, BoundedNumber{-kMost}, BoundedNumber{5, 1e-6}).error, 1e32);
}

TEST(BoundedNumber, KnowsWhatInfinitiesGive) {
  expect_certain(apply(BinaryOp::sub, BoundedNumber{kInf}, BoundedNumber{kInf}), kNaN);
  expect_certain(apply(BinaryOp::add, BoundedNumber{-kInf}, BoundedNumber{3, 1e-6}), -kInf);
  expect_certain(apply(BinaryOp::mul, BoundedNumber{kInf}, BoundedNumber{0}), kNaN);
  expect_certain(apply(BinaryOp::div, BoundedNumber{1}, BoundedNumber{0}), kInf);
  expect_certain(apply(BinaryOp::div, BoundedNumber{0}, BoundedNumber{0}), kNaN);
  expect_certain(apply(UnaryOp::log, BoundedNumber{0}), -kInf);
  expect_certain(apply(UnaryOp::sqrt, BoundedNumber{-1}), kNaN);
  EXPECT_EQ(apply(UnaryOp::exp, BoundedNumber{-kInf}).value, 0);
}

TEST(BoundedNumber, LeavesOpenWhatAnErrorDecides) {
  EXPECT_EQ(apply(BinaryOp::add, BoundedNumber{kMost, 1e36}, BoundedNumber{0}).error, kInf);
  EXPECT_EQ(apply(BinaryOp::mul, BoundedNumber{kInf}, BoundedNumber{1e-9, 1e-8}).error, kInf);
  EXPECT_EQ(apply(BinaryOp::div, BoundedNumber{1}, BoundedNumber{1e-9, 1e-8}).error, kInf);
  EXPECT_EQ(apply(UnaryOp::log, BoundedNumber{1e-9, 1e-8}).error, kInf);
  EXPECT_EQ(apply(UnaryOp::sqrt, BoundedNumber{-1e-9, 1e-8}).error, kInf);
  EXPECT_EQ(compare(BinaryOp::less, BoundedNumber{1, 1e-3}, BoundedNumber{1.0005, 0}).error, kInf);
}

TEST(BoundedNumber, StoredInHalvesOverflows) {
  expect_certain(stored(BoundedNumber{-65543.9, 1e-3}, ElementType::f16), -kInf);
  EXPECT_EQ(stored(BoundedNumber{65519.9, 1}, ElementType::f16).error, kInf);
  EXPECT_NEAR(stored(BoundedNumber{1, 0}, ElementType::f16).error, 0x1p-11, 1e-9);
}

// A number that is known exactly is truncated exactly.
TEST(BoundedNumber, RoundsToTf32) {
  expect_certain(stored(BoundedNumber{1 + 0x1p-10 + 0x1p-11}, ElementType::tf32), 1 + 0x1p-10);
  expect_certain(stored(BoundedNumber{-1 - 0x1p-11}, ElementType::tf32), -1);
  EXPECT_NEAR(stored(BoundedNumber{2, 1e-3}, ElementType::tf32).error, 1e-3 + 0x1p-9, 1e-9);
  expect_certain(stored(BoundedNumber{1 + 0x1p-11 + 0x1p-22}, ElementType::tf32x2), 1 + 0x1p-11);
  EXPECT_NEAR(stored(BoundedNumber{2, 1e-5}, ElementType::tf32x2).error, 1e-5 + 0x1p-20, 1e-9);
}

TEST(BoundedInteger, WrapsAndDividesAsKernelsDo) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(apply(BinaryOp::add, BoundedInteger{kLargest}, BoundedInteger{1}).value, kLeast);
  EXPECT_EQ(apply(BinaryOp::div, BoundedInteger{-7}, BoundedInteger{2}).value, -3);
  EXPECT_EQ(apply(BinaryOp::div, BoundedInteger{7}, BoundedInteger{0}).value, 0);
  EXPECT_EQ(apply(BinaryOp::div, BoundedInteger{kLeast}, BoundedInteger{-1}).value, kLeast);
  EXPECT_EQ(stored(BoundedInteger{256}, ElementType::u8).value, 0);
  EXPECT_EQ(stored(BoundedInteger{-129}, ElementType::i8).value, 127);
}

TEST(BoundedInteger, OfANumberIsAsFarOffAsThat) {
  EXPECT_EQ(integer_of(BoundedNumber{1.5, 1e-3}, ElementType::i64).error, 0);
  EXPECT_EQ(integer_of(BoundedNumber{1.9999, 1e-3}, ElementType::i64).error, 1);
  EXPECT_EQ(integer_of(BoundedNumber{255.9999, 1e-3}, ElementType::u8).error, kInf);
  EXPECT_EQ(integer_of(BoundedNumber{kNaN, 0}, ElementType::i32).value,
            std::numeric_limits<int32_t>::min());
}

TEST(BoundedInteger, KnowsWhatInfinitiesGive) {
  const BoundedInteger none = BoundedInteger::infinity(/*negative=*/true);
  EXPECT_TRUE(apply(BinaryOp::mul, none, BoundedInteger{2}).is_infinite) << "not 0";
  EXPECT_EQ(real_of(apply(BinaryOp::mul, none, BoundedInteger{-2})).value, kInf);
  EXPECT_EQ(apply(BinaryOp::max, none, BoundedInteger{-5}).value, -5);
  EXPECT_EQ(apply(BinaryOp::div, BoundedInteger{9}, none).value, 0);
  EXPECT_EQ(apply(BinaryOp::mul, none, BoundedInteger{0}).error, kInf) << "of real numbers a NaN";
  EXPECT_EQ(compare(BinaryOp::less, none, BoundedInteger{-5}).value, 1);
  EXPECT_EQ(stored(none, ElementType::i8).value, -128);
}

BoundedNumber sum_of(const std::vector<BoundedNumber>& terms) {
  SumOfTerms sum{SumBound()};
  for (const BoundedNumber& term : terms) sum.add(term);
  return sum.total();
}

TEST(SumOfTerms, OverflowsWhateverTheOrder) {
  expect_certain(sum_of({{3e38}, {3e38}, {-1}}), kInf);
  expect_certain(sum_of({{kInf}, {-kInf}}), kNaN);
  EXPECT_EQ(sum_of({{3e38}, {3e38}, {-3e38}, {-3e38}}).error, kInf) << "the order decides";
  EXPECT_LT(sum_of({{3e38}, {-3e38}, {1}}).error, 1e33);
}

TEST(SumBound, FollowsTheLongestChain) {
  EXPECT_NEAR(SumBound().error(12544), 7.5e-4, 1e-5);
  EXPECT_NEAR(SumBound{.longest_chain = 224}.error(12544), 1.35e-5, 1e-7);
  EXPECT_EQ(SumBound{.longest_chain = 224}.error(9), SumBound().error(9));
  EXPECT_LT(SumBound{.has_random_signs = true}.error(12544), 1.4e-5);
}

}  // namespace
}  // namespace dovetail
