// SPDX-License-Identifier: Apache-2.0
#include "core/ir/index/bounded_range.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/support/ir_generators.h"

namespace dovetail {
namespace {

IndexExpr index(std::string_view text) { return *parse_index_expression(text); }

const Ranges kLoops = {{"h", {0, 55}}, {"kh", {0, 2}},  {"w", {0, 5}},
                       {"f", {0, 59}}, {"i.0", {0, 2}}, {"i.1", {0, 1}}};

Range bounded(std::string_view text, const std::vector<Bound>& bounds) {
  return *bounded_range(index(text), kLoops, bounds);
}

TEST(BoundedRange, OfTheBoundItself) {
  const std::vector<Bound> inside = {{index("h + kh - 1"), 0, 56}};
  EXPECT_EQ(bounded("h + kh - 1", {}), (Range{-1, 56}));
  EXPECT_EQ(bounded("h + kh - 1", inside), (Range{0, 55}));
  EXPECT_EQ(bounded("h + kh", inside), (Range{1, 56}));
}

TEST(BoundedRange, OfItsMultiplesAndParts) {
  EXPECT_EQ(bounded("6*h + 6*kh + w - 6", {{index("h + kh - 1"), 0, 56}}), (Range{0, 335}));
  EXPECT_EQ(bounded("i.0", {{index("2*i.0 + i.1"), 0, 4}}), (Range{0, 1}));
  EXPECT_EQ(bounded("9*h + w", {{index("h"), 2, 5}, {index("w"), 1, 3}}), (Range{19, 38}));
}

TEST(BoundedRange, InsideDivisions) {
  EXPECT_EQ(bounded("((h + kh - 1) div 4)", {{index("h + kh - 1"), 0, 56}}), (Range{0, 13}));
  EXPECT_EQ(bounded("h + (f div 6) - 1", {{index("6*h + f"), 6, 60}}), (Range{0, 8}));
}

// Whichever comes first: one bounds a term, the other one what a term divides.
TEST(BoundedRange, InsideDivisionsAndBesideThem) {
  const Bound whole{index("f"), 0, 30}, remainder{index("(f mod 5)"), 1, 4};
  EXPECT_EQ(bounded("9*(f div 15) + 3*(f mod 5)", {whole, remainder}), (Range{3, 18}));
  EXPECT_EQ(bounded("9*(f div 15) + 3*(f mod 5)", {remainder, whole}), (Range{3, 18}));
}

// Rows and columns of a window over a fused axis: 6*(f div 6) + f mod 6 is f.
TEST(BoundedRange, OfQuotientAndRemainderTogether) {
  const Bound row{index("kh + (f div 6) - 1"), 0, 10}, column{index("(f mod 6) - 1"), 0, 6};
  EXPECT_EQ(bounded("f + 6*kh - 7", {row, column}), (Range{0, 58}));
  EXPECT_EQ(bounded("2*f + 12*kh - 14", {row, column}), (Range{0, 116}));
}

TEST(BoundedRange, IsEmptyWhenBoundsContradict) {
  const Range range = bounded("h", {{index("h"), 3, 3}});
  EXPECT_GT(range.min, range.max);
  const Range never = bounded("w", {{index("3"), 0, 3}});
  EXPECT_GT(never.min, never.max);
  EXPECT_EQ(bounded("w", {{index("2"), 0, 3}}), (Range{0, 5}));
}

TEST(WithoutDivision, BoundsWhatIsDivided) {
  EXPECT_EQ(without_division({index("(f div 6) - 1"), 0, 8}), (Bound{index("f"), 6, 54}));
  EXPECT_EQ(without_division({index("h + (f div 3) - 1"), 0, 7}), (Bound{index("3*h + f"), 3, 24}));
  const Bound kept{index("h + (f mod 6)"), 0, 7};
  EXPECT_EQ(without_division(kept), kept);
}

TEST(WithoutRemainder, BoundsTheWhole) {
  EXPECT_EQ(without_remainder({index("2*(f mod 6) - 1"), 0, 6}, kLoops),
            (Bound{index("2*f - 1"), 0, 114}));
  EXPECT_EQ(without_remainder({index("3 - (f mod 6)"), 0, 2}, kLoops),
            (Bound{index("3 - f"), -54, 2}));
  const Bound kept{index("1 - (f div 6)"), 0, 2};
  EXPECT_EQ(without_remainder(kept, kLoops), kept);
}

// Every assignment of the variables.
std::vector<Bindings> assignments(const Ranges& ranges) {
  std::vector<Bindings> result = {{}};
  for (const auto& [name, range] : ranges) {
    std::vector<Bindings> next;
    for (const Bindings& before : result) {
      for (int64_t value = range.min; value <= range.max; ++value) {
        next.push_back(before);
        next.back()[name] = value;
      }
    }
    result = std::move(next);
  }
  return result;
}

Bound any_bound(const Ranges& ranges) {
  const IndexExpr e = *testing::index_expressions(ranges);
  const Range range = range_of(e, ranges);
  const int64_t lower = *rc::gen::inRange(range.min - 2, range.max + 2);
  return {e, lower, lower + *rc::gen::inRange<int64_t>(1, range.max - range.min + 4)};
}

bool holds(const Bound& bound, const Bindings& values) {
  const int64_t value = evaluate(bound.expr, values);
  return bound.lower <= value && value < bound.upper;
}

RC_GTEST_PROP(BoundedRangeLaw, HoldsEveryValueForWhichTheBoundsHold, ()) {
  const Ranges ranges = testing::few_ranges();
  std::vector<Bound> bounds;
  for (int k = *rc::gen::inRange(0, 4); k > 0; --k) bounds.push_back(any_bound(ranges));
  // Often made of what is bounded, as the indices of a padded tensor are.
  IndexExpr e = *testing::index_expressions(ranges);
  for (const Bound& bound : bounds) e = e + bound.expr * *rc::gen::inRange<int64_t>(-2, 4);
  const std::optional<Range> range = bounded_range(e, ranges, bounds);
  RC_ASSERT(range.has_value());
  for (const Bindings& values : assignments(ranges)) {
    if (!std::ranges::all_of(bounds, [&](const Bound& b) { return holds(b, values); })) continue;
    const int64_t value = evaluate(e, values);
    RC_ASSERT(range->min <= value && value <= range->max);
  }
}

RC_GTEST_PROP(WithoutDivisionLaw, MeansTheSame, ()) {
  const Ranges ranges = testing::few_ranges();
  const Bound bound = any_bound(ranges), even = without_division(bound);
  for (const Bindings& values : assignments(ranges))
    RC_ASSERT(holds(bound, values) == holds(even, values));
}

RC_GTEST_PROP(WithoutRemainderLaw, HoldsWhereverTheBoundHolds, ()) {
  const Ranges ranges = testing::few_ranges();
  const Bound bound = any_bound(ranges), whole = without_remainder(bound, ranges);
  for (const Bindings& values : assignments(ranges))
    RC_ASSERT(!holds(bound, values) || holds(whole, values));
}

}  // namespace
}  // namespace dovetail
