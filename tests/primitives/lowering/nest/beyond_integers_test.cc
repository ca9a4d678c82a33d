// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/beyond_integers.h"

#include <gtest/gtest.h>

#include <limits>

namespace dovetail {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const IndexExpr kI = IndexExpr::variable("i");

Value element(const std::string& tensor) { return Load{tensor, {kI}}; }

// X[i], of eight integers.
Value existing(double beyond) { return select({{kI, 0, 8}}, element("X"), beyond); }

std::string infinite(const Value& value) {
  return print(with_infinite_integers(value, [](const Value& load) {
    return load.as<Load>()->buffer == "R" ? ComputedType::real : ComputedType::integer;
  }));
}

TEST(BeyondIntegers, WhatIsComputedFromNoneIsInfinite) {
  EXPECT_EQ(infinite(binary(BinaryOp::mul, existing(-kInf), 2.0)),
            "(0 <= i < 8) ? X[i] * 2 : -inf");
  EXPECT_EQ(infinite(binary(BinaryOp::sub, element("Z"), existing(-kInf))),
            "(0 <= i < 8) ? Z[i] - X[i] : inf");
  EXPECT_EQ(infinite(unary(UnaryOp::abs, binary(BinaryOp::mul, existing(kInf), -3.0))),
            "(0 <= i < 8) ? abs(X[i] * -3) : inf");
  EXPECT_EQ(infinite(cast(ComputedType::real, binary(BinaryOp::div, existing(kInf), 2.0))),
            "(0 <= i < 8) ? real(X[i] / 2) : inf");
}

TEST(BeyondIntegers, OthersStayIntegersBesideThem) {
  EXPECT_EQ(infinite(binary(BinaryOp::min, existing(kInf), element("Z"))),
            "(0 <= i < 8) ? min(X[i], Z[i]) : Z[i]");
  EXPECT_EQ(infinite(binary(BinaryOp::mul, existing(kInf), element("Z"))),
            "(0 <= i < 8) ? X[i] * Z[i] : "
            "choose(less(Z[i], 0), -inf, choose(equal(Z[i], 0), index(0), inf))");
  EXPECT_EQ(infinite(binary(BinaryOp::div, element("Z"), existing(kInf))),
            "(0 <= i < 8) ? Z[i] / X[i] : index(0)");
}

TEST(BeyondIntegers, ComparisonsAndCastsKnowThem) {
  EXPECT_EQ(infinite(binary(BinaryOp::less, existing(-kInf), element("Z"))),
            "(0 <= i < 8) ? less(X[i], Z[i]) : less(0, 1)");
  EXPECT_EQ(infinite(binary(BinaryOp::equal, element("Z"), existing(-kInf))),
            "(0 <= i < 8) ? equal(Z[i], X[i]) : less(0, 0)");
  EXPECT_EQ(infinite(cast(ElementType::i8, existing(kInf))),
            "(0 <= i < 8) ? i8(X[i]) : index(127)");
}

TEST(BeyondIntegers, TwoThatExistAtOncePartOnce) {
  EXPECT_EQ(
      infinite(binary(BinaryOp::add, existing(-kInf), select({{kI, 0, 8}}, element("Z"), -kInf))),
      "(0 <= i < 8) ? X[i] + Z[i] : -inf");
}

// The branches of a choice between two infinities say that they are integers.
TEST(BeyondIntegers, ChoicesAmongThemAreIntegers) {
  const Value other = select({{IndexExpr::variable("j"), 0, 2}}, element("Z"), kInf);
  EXPECT_EQ(infinite(binary(BinaryOp::max, existing(kInf), other)),
            "(0 <= i < 8) ? ((0 <= j < 2) ? max(X[i], Z[i]) : inf) : inf");
  EXPECT_EQ(infinite(choose(binary(BinaryOp::less, element("Z"), 0.0), existing(kInf),
                            binary(BinaryOp::sub, 0.0, existing(kInf)))),
            "choose(less(Z[i], 0), (0 <= i < 8) ? X[i] : inf, (0 <= i < 8) ? 0 - X[i] : -inf)");
  EXPECT_EQ(infinite(choose(binary(BinaryOp::less, element("Z"), 0.0),
                            binary(BinaryOp::add, element("Z"), kInf),
                            binary(BinaryOp::sub, element("Z"), kInf))),
            "choose(less(Z[i], 0), index(9223372036854775807), index(-9223372036854775808))");
}

// Where nobody can read an element, no select says that it is an integer.
TEST(BeyondIntegers, NumbersComputedFromNoneAreInfinite) {
  const Value none = unary(UnaryOp::abs, binary(BinaryOp::sub, -kInf, 5.0));
  EXPECT_EQ(infinite(binary(BinaryOp::max, existing(-kInf), none)), "inf");
  EXPECT_EQ(infinite(binary(BinaryOp::min, existing(kInf), none)), "(0 <= i < 8) ? X[i] : inf");
}

TEST(BeyondIntegers, RealNumbersAreAsTheyWere) {
  const Value real = binary(BinaryOp::mul, select({{kI, 0, 8}}, element("R"), -kInf), 2.0);
  EXPECT_EQ(infinite(real), print(real));
}

}  // namespace
}  // namespace dovetail
