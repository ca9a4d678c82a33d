// SPDX-License-Identifier: Apache-2.0
#include "core/ir/index/index_expression.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <limits>
#include <numeric>

#include "tests/support/expect_error.h"
#include "tests/support/ir_generators.h"

namespace dovetail {
namespace {

using testing::few_ranges;
using testing::index_expressions;

constexpr int kDrawsPerExpression = 20;

IndexExpr var(const char* name) { return IndexExpr::variable(name); }

IndexExpr parsed(std::string_view text) {
  const auto e = parse_index_expression(text);
  EXPECT_TRUE(e) << e.error().message;
  return e ? *e : IndexExpr();
}

int64_t floored(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return q * b > a ? q - 1 : q;
}

// Calls `visit` with every assignment of values in the ranges.
void for_all(const Ranges& ranges, const std::function<void(const Bindings&)>& visit) {
  Bindings values;
  for (const auto& [name, range] : ranges) values[name] = range.min;
  while (true) {
    visit(values);
    auto it = values.begin();
    for (; it != values.end(); ++it) {
      const Range range = ranges.at(it->first);
      if (++it->second <= range.max) break;
      it->second = range.min;
    }
    if (it == values.end()) return;
  }
}

bool is_normal(const IndexExpr& e) {
  for (size_t i = 0; i < e.terms().size(); ++i) {
    const IndexTerm& term = e.terms()[i];
    if (term.coefficient == 0) return false;
    if (i > 0 && !(e.terms()[i - 1].atom < term.atom)) return false;
    if (term.atom.inner && (term.atom.divisor < 2 || !is_normal(*term.atom.inner))) return false;
  }
  return true;
}

TEST(IndexExpression, MultiplesOfTheDivisorLeaveTheDivision) {
  const Ranges ranges = {{"h.0", {0, 13}}, {"h.1", {0, 3}}, {"kh", {0, 2}}};
  const IndexExpr h = var("h.0") * 4 + var("h.1");
  EXPECT_EQ(floor_div(h, 4, ranges), var("h.0"));
  EXPECT_EQ(floor_mod(h, 4, ranges), var("h.1"));
  EXPECT_EQ(print(floor_div(h + var("kh"), 4, ranges)), "h.0 + ((h.1 + kh) div 4)");
  EXPECT_EQ(floor_div(h - 4, 4, ranges), var("h.0") - 1);
}

// Loops that were fused outside of a vector's lanes are cut elsewhere than the lanes are.
TEST(IndexExpression, LanesLeaveACutOfTheLoopAroundThem) {
  const Ranges ranges = {{"o", {0, 15}}, {"lane", {0, 3}}};
  const IndexExpr e = var("o") * 4 + var("lane");
  EXPECT_EQ(floor_div(e, 16, ranges), floor_div(var("o"), 4, ranges));
  EXPECT_EQ(floor_mod(e, 16, ranges), floor_mod(var("o"), 4, ranges) * 4 + var("lane"));
  EXPECT_EQ(floor_div(e - 8, 16, ranges), floor_div(var("o") - 2, 4, ranges));
  const Ranges wide = {{"o", {0, 15}}, {"lane", {0, 4}}};
  EXPECT_EQ(print(floor_div(e, 16, wide)), "((lane + 4*o) div 16)") << "it reaches the next";
}

TEST(IndexExpression, DivisionsOfDivisionsCollapse) {
  const IndexExpr x = var("x");
  EXPECT_EQ(floor_div(floor_div(x, 4, {}), 6, {}), floor_div(x, 24, {}));
  EXPECT_EQ(floor_mod(floor_mod(x, 24, {}), 4, {}), floor_mod(x, 4, {}));
  EXPECT_EQ(floor_div(floor_mod(x, 24, {}), 4, {}), floor_mod(floor_div(x, 4, {}), 6, {}));
  EXPECT_EQ(floor_div(x * 6, 3, {}), x * 2);
  EXPECT_EQ(floor_mod(x * 6, 3, {}), IndexExpr(0));
}

TEST(IndexExpression, DivisionsThatARemainderMakesExactLoseIt) {
  const IndexExpr h = var("h"), phase = floor_mod(h + 1, 2, {});
  EXPECT_EQ(floor_div(h + 1 - phase, 2, {}), floor_div(h + 1, 2, {}));
  EXPECT_EQ(floor_mod(h + 1 - phase, 2, {}), IndexExpr(0));
  EXPECT_EQ(floor_mod(floor_mod(h, 6, {}) + var("w"), 3, {}), floor_mod(h + var("w"), 3, {}));
  const Ranges ranges = {{"h.1", {0, 2}}};
  const IndexExpr cut = var("h.0") * 3 + var("h.1");
  const IndexExpr tap = var("kh") * 3 + floor_mod(cut + 1, 3, ranges);
  EXPECT_EQ(print(floor_div(cut + 1 - tap, 3, ranges)), "h.0 - kh + ((h.1 + 1) div 3)");
}

TEST(IndexExpression, QuotientsAndRemaindersThatLieOnALineAreThatLine) {
  const Ranges two = {{"p", {0, 1}}}, three = {{"p", {0, 2}}};
  EXPECT_EQ(print(floor_div(var("p") + 1, 2, two)), "p");
  EXPECT_EQ(print(floor_mod(var("p") + 1, 2, two)), "-p + 1");
  EXPECT_EQ(print(floor_div(var("p") * 2 + 2, 3, two)), "p");
  EXPECT_EQ(print(floor_div(var("p") + 1, 2, three)), "((p + 1) div 2)") << "0, 1, 1";
  EXPECT_EQ(print(floor_mod(var("p") * 5, 6, three)), "((5*p) mod 6)") << "0, 5, 4";
  EXPECT_EQ(print(floor_mod(var("p") + var("q") + 1, 2, {{"p", {0, 1}}, {"q", {0, 1}}})),
            "((p + q + 1) mod 2)");
}

TEST(IndexExpression, RangesOfTermsThatShareAShortVariableAreExact) {
  const IndexExpr p = var("p");
  const IndexExpr e = floor_div(p * 2 + 1, 3, {}) * 3 - p * 2;
  EXPECT_EQ(range_of(e, {{"p", {0, 2}}}), (Range{-1, 1}));
  EXPECT_EQ(range_of(e + var("x"), {{"p", {0, 2}}, {"x", {0, 9}}}), (Range{-1, 10}));
}

// The window's tap that a stride s, a dilation d and an output index x leave: d·k ≡ x (mod s).
RC_GTEST_PROP(IndexExpressionLaw, StridesThatTheTapsFollowDivideExactly, ()) {
  const int64_t s = *rc::gen::inRange<int64_t>(2, 8), d = *rc::gen::inRange<int64_t>(1, 8);
  RC_PRE(std::gcd(d, s) == 1);
  int64_t inverse = 1;
  while (inverse * d % s != 1) ++inverse;
  const Ranges ranges = {{"u", {0, 2}}, {"p", {0, s - 1}}, {"q", {0, 2}}};
  const IndexExpr x = var("u") * s + var("p") + *rc::gen::inRange<int64_t>(-9, 9);
  const IndexExpr tap = var("q") * s + floor_mod(x * inverse, s, ranges);
  RC_ASSERT(floor_mod(x - tap * d, s, ranges) == IndexExpr(0));
  const IndexExpr index = floor_div(x - tap * d, s, ranges);
  RC_ASSERT(index.coefficient("u") == 1);
  RC_ASSERT(index.coefficient("q") == -d);
  Range seen{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  for_all(ranges, [&](const Bindings& values) {
    const int64_t value = evaluate(index, values);
    RC_ASSERT(value * s == evaluate(x - tap * d, values));
    seen = {std::min(seen.min, value), std::max(seen.max, value)};
  });
  RC_ASSERT(range_of(index, ranges) == seen);
}

// However a dimension is cut along one chain, the digits come out without division.
RC_GTEST_PROP(IndexExpressionLaw, DigitsOfAChainComeOutWhole, ()) {
  IndexExpr value;
  Ranges ranges;
  std::vector<int64_t> steps = {1};
  for (int d = 0; d < 4; ++d) {
    const int64_t extent = *rc::gen::inRange<int64_t>(2, 7);
    const std::string name = "d" + std::to_string(d);
    ranges[name] = {0, extent - 1};
    value = value + IndexExpr::variable(name) * steps.back();
    steps.push_back(steps.back() * extent);
  }
  for (size_t d = 0; d < 4; ++d) {
    const int64_t extent = steps[d + 1] / steps[d];
    const IndexExpr digit = floor_mod(floor_div(value, steps[d], ranges), extent, ranges);
    RC_ASSERT(digit == IndexExpr::variable("d" + std::to_string(d)));
  }
}

// Dims that a fused loop takes apart lie on one line where they are each other's neighbours.
RC_GTEST_PROP(IndexExpressionLaw, FusedNeighboursAreFlattenedWithoutDivision, ()) {
  const int64_t outer = *rc::gen::inRange<int64_t>(2, 9), inner = *rc::gen::inRange<int64_t>(2, 9),
                behind = *rc::gen::inRange<int64_t>(1, 5);
  const Ranges ranges = {{"f", {0, outer * inner - 1}}, {"c", {0, behind - 1}}};
  const IndexExpr f = IndexExpr::variable("f"), c = IndexExpr::variable("c");
  const IndexExpr position = flattened(
      {floor_div(f, inner, ranges), floor_mod(f, inner, ranges), c}, {outer, inner, behind});
  RC_ASSERT(position == f * behind + c);
}

RC_GTEST_PROP(IndexExpressionLaw, DivisionIsThatOfEveryAssignment, ()) {
  for (int draw = 0; draw < kDrawsPerExpression; ++draw) {
    const Ranges ranges = few_ranges();
    const IndexExpr e = *index_expressions(ranges, 2);
    const int64_t divisor = *rc::gen::inRange<int64_t>(1, 13);
    const Ranges known = *rc::gen::element(ranges, Ranges{});
    const IndexExpr quotient = floor_div(e, divisor, known);
    const IndexExpr rest = floor_mod(e, divisor, known);
    RC_ASSERT(is_normal(quotient) && is_normal(rest));
    for_all(ranges, [&](const Bindings& values) {
      const int64_t value = evaluate(e, values);
      RC_ASSERT(evaluate(quotient, values) == floored(value, divisor));
      RC_ASSERT(evaluate(rest, values) == value - divisor * floored(value, divisor));
    });
  }
}

RC_GTEST_PROP(IndexExpressionLaw, RangesHoldEveryValueAndAreTightForAffine, ()) {
  for (int draw = 0; draw < kDrawsPerExpression; ++draw) {
    const Ranges ranges = few_ranges();
    const IndexExpr e = *index_expressions(ranges, 2);
    const Range range = range_of(e, ranges);
    Range seen{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
    for_all(ranges, [&](const Bindings& values) {
      const int64_t value = evaluate(e, values);
      seen = {std::min(seen.min, value), std::max(seen.max, value)};
    });
    RC_ASSERT(range.min <= seen.min && seen.max <= range.max);
    if (e.is_affine()) RC_ASSERT(range == seen);
  }
}

RC_GTEST_PROP(IndexExpressionLaw, SubstitutionIsThatOfEveryAssignment, ()) {
  for (int draw = 0; draw < kDrawsPerExpression; ++draw) {
    const Ranges inner = few_ranges();
    const IndexExpr e =
        *index_expressions({{"a", {-9, 9}}, {"b", {-9, 9}}, {"v1", inner.at("v1")}}, 2);
    const std::map<std::string, IndexExpr, std::less<>> by = {{"a", *index_expressions(inner, 1)},
                                                              {"b", *index_expressions(inner, 1)}};
    // The ranges of a and b above may not hold for what replaces them: only unsimplified atoms
    // count.
    const IndexExpr unsimplified = *index_expressions({}, 0) + parsed(print(e));
    const IndexExpr result = substitute(unsimplified, by, inner);
    RC_ASSERT(is_normal(result));
    for_all(inner, [&](Bindings values) {
      Bindings outer = values;
      outer["a"] = evaluate(by.at("a"), values);
      outer["b"] = evaluate(by.at("b"), values);
      RC_ASSERT(evaluate(result, values) == evaluate(unsimplified, outer));
    });
  }
}

RC_GTEST_PROP(IndexExpressionLaw, ArithmeticIsThatOfEveryAssignment, ()) {
  const Ranges ranges = few_ranges();
  const IndexExpr a = *index_expressions(ranges, 2);
  const IndexExpr b = *index_expressions(ranges, 2);
  const int64_t factor = *rc::gen::inRange<int64_t>(-5, 6);
  RC_ASSERT(is_normal(a + b) && is_normal(a - b) && is_normal(a * factor));
  RC_ASSERT(a + b == b + a);
  RC_ASSERT(a - a == IndexExpr(0));
  for_all(ranges, [&](const Bindings& values) {
    RC_ASSERT(evaluate(a + b, values) == evaluate(a, values) + evaluate(b, values));
    RC_ASSERT(evaluate(a - b, values) == evaluate(a, values) - evaluate(b, values));
    RC_ASSERT(evaluate(a * factor, values) == evaluate(a, values) * factor);
  });
}

RC_GTEST_PROP(IndexExpressionLaw, OrderIsTotal, ()) {
  const Ranges ranges = few_ranges();
  const IndexExpr a = *index_expressions(ranges, 2);
  const IndexExpr b = *index_expressions(ranges, 2);
  RC_ASSERT((a < b) + (b < a) + (a == b) == 1);
}

TEST(IndexExpression, KnowsItsVariables) {
  const IndexExpr e = parsed("2*b + ((c + a) div 3) - 1");
  EXPECT_EQ(e.variables(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(e.mentions("c"));
  EXPECT_FALSE(e.mentions("d"));
  EXPECT_EQ(e.coefficient("b"), 2);
  EXPECT_EQ(e.coefficient("c"), 0);
  EXPECT_FALSE(e.is_affine());
}

TEST(IndexExpression, ParsesWhatPeopleWrite) {
  EXPECT_EQ(parsed("i*0 + 3"), parsed("3"));
  EXPECT_EQ(print(parsed(" - h +2 * ( w - 3 ) ")), "-h + 2*w - 6");
  EXPECT_EQ(parsed("h div 4"), floor_div(var("h"), 4, {}));
  EXPECT_EQ(parsed("8*h div 4"), var("h") * 2);
  EXPECT_EQ(parsed("w + h div 4"), var("w") + floor_div(var("h"), 4, {}));
  EXPECT_EQ(parsed("h div 4 div 2"), floor_div(var("h"), 8, {}));
  EXPECT_EQ(print(parsed("7 div 2 - 7 mod 2")), "2");
  EXPECT_EQ(print(parsed("-7 div 2")), "-3");  // the sign is that of the whole product
}

TEST(IndexExpression, SaysWhereATextIsWrong) {
  const auto fails = [](std::string_view text, std::string_view message) {
    EXPECT_ERROR(parse_index_expression(text), message);
  };
  fails("", "column 1: found the end, expected a variable, an integer or \"(\"");
  fails("h +", "column 4: found the end");
  fails("(h + 1", "column 7: found the end, expected \")\"");
  fails("h w", "column 3: found \"w\", expected the end of the expression");
  fails("h div w", "column 7: found \"w\", expected a divisor");
  fails("h div 0", "the divisor must be from 1 to 2^53");
  fails("h * 2 * w", "column 7: a product of two variables");
  fails("div", "found \"div\", expected a variable");
  fails("9007199254740993*h", "the number is too large");
  fails("9007199254740992*(1024*h)", "the number is too large");
  fails("h + 1.5", "found \"1.5\"");
}

TEST(IndexExpression, RangesBeyond63BitsAreUnknown) {
  const IndexExpr e = var("h") * (int64_t{1} << 40);
  EXPECT_EQ(known_range(e, {{"h", {0, int64_t{1} << 40}}}), std::nullopt);
  EXPECT_EQ(known_range(e, {}), std::nullopt);
  EXPECT_EQ(known_range(e, {{"h", {-1, 2}}}), (Range{-(int64_t{1} << 40), int64_t{1} << 41}));
}

}  // namespace
}  // namespace dovetail
