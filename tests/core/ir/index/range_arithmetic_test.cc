// SPDX-License-Identifier: Apache-2.0
#include "core/ir/index/range_arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dovetail {
namespace {

TEST(Quotients, AreRoundedDownAndUp) {
  for (int64_t a = -20; a <= 20; ++a) {
    for (int64_t b = 1; b <= 7; ++b) {
      const double exact = static_cast<double>(a) / static_cast<double>(b);
      EXPECT_EQ(floor_quotient(a, b), static_cast<int64_t>(std::floor(exact))) << a << " / " << b;
      EXPECT_EQ(ceil_quotient(a, b), static_cast<int64_t>(std::ceil(exact))) << a << " / " << b;
    }
  }
}

TEST(AddScaled, TurnsTheRangeAroundForANegativeCoefficient) {
  Range total{1, 2};
  EXPECT_TRUE(add_scaled(total, -3, {0, 4}));
  EXPECT_EQ(total, (Range{-11, 2}));
}

TEST(AddScaled, FailsBeyond63Bits) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  Range total{0, kMost};
  EXPECT_FALSE(add_scaled(total, 1, {0, 1}));
  Range other{0, 0};
  EXPECT_FALSE(add_scaled(other, 2, {0, kMost}));
}

TEST(ShortVariable, IsTheOnlyOneOfATermWhenItTakesFewValues) {
  const Ranges ranges = {{"h", {0, 63}}, {"w", {0, 64}}};
  const auto term = [](const IndexExpr& e) { return e.terms()[0]; };
  const IndexExpr h = IndexExpr::variable("h"), w = IndexExpr::variable("w");
  EXPECT_EQ(short_variable(term(h), ranges), "h");
  EXPECT_EQ(short_variable(term(floor_div(h, 2, {})), ranges), "h");
  EXPECT_EQ(short_variable(term(w), ranges), "");
  EXPECT_EQ(short_variable(term(floor_div(h + w, 2, {})), ranges), "");
}

}  // namespace
}  // namespace dovetail
