// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/loop_range.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/support/ir_generators.h"

namespace dovetail {
namespace {

IndexExpr index_of(std::string_view text) { return *parse_index_expression(text); }

std::string shown(const LoopRange& range) {
  std::string text = std::to_string(range.start);
  for (const IndexExpr& e : range.first) text += " and " + print(e);
  text += " to " + std::to_string(range.end);
  for (const IndexExpr& e : range.last) text += " and " + print(e);
  return text + (range.may_be_empty ? ", may be empty" : "");
}

TEST(LoopRange, IsThatOfTheRowsOfAWindow) {
  const Ranges h = {{"h", {0, 55}}};
  EXPECT_EQ(shown(loop_range("kh", 3, {{index_of("h + kh - 1"), 0, 56}}, h)),
            "0 and -h + 1 to 3 and -h + 57");
  EXPECT_EQ(shown(loop_range("kh", 3, {{index_of("h + 2*kh - 2"), 0, 56}}, h)),
            "0 and ((-h + 1) div 2) + 1 to 3 and ((-h + 1) div 2) + 29");
  EXPECT_EQ(shown(loop_range("kh", 3, {{index_of("h - kh"), 0, 56}}, h)), "0 to 3 and h + 1");
}

TEST(LoopRange, LeavesOutWhatAlwaysHolds) {
  EXPECT_EQ(shown(loop_range("k", 3, {{index_of("h + k"), 0, 9}}, {{"h", {0, 5}}})), "0 to 3");
  EXPECT_EQ(shown(loop_range("k", 3, {{index_of("k - 1"), 0, 1}}, {})), "1 to 2");
  EXPECT_EQ(shown(loop_range("k", 3, {}, {})), "0 to 3");
}

TEST(LoopRange, SaysWhetherItMayBeEmpty) {
  EXPECT_EQ(shown(loop_range("k", 3, {{index_of("h + k - 9"), 0, 5}}, {{"h", {0, 9}}})),
            "0 and -h + 9 to 3, may be empty");
  EXPECT_EQ(shown(loop_range("k", 3, {{index_of("k"), 5, 9}}, {})), "5 to 3, may be empty");
  EXPECT_EQ(shown(loop_range("k", 3, {{index_of("h + k"), 1, 9}}, {})),
            "0 and -h + 1 to 3 and -h + 9, may be empty");
}

// Against every value of the loops around.
RC_GTEST_PROP(LoopRangeLaw, HoldsTheIterationsWhereTheBoundsDo, ()) {
  const auto draw = [](int64_t low, int64_t high) { return *rc::gen::inRange(low, high + 1); };
  const Ranges outer = {{"g", {0, draw(0, 4)}}, {"h", {0, draw(0, 5)}}};
  const int64_t extent = draw(1, 6);
  std::vector<Bound> bounds(static_cast<size_t>(draw(1, 2)));
  for (Bound& bound : bounds) {
    const int64_t step = draw(1, 3) * (draw(0, 1) == 0 ? 1 : -1);
    const int64_t lower = draw(-6, 4);
    bound = {*testing::index_expressions(outer, 1) + IndexExpr::variable("k") * step, lower,
             lower + draw(0, 12)};
  }
  const LoopRange range = loop_range("k", extent, bounds, outer);
  for (int64_t g = 0; g <= outer.at("g").max; ++g) {
    for (int64_t h = 0; h <= outer.at("h").max; ++h) {
      Bindings values = {{"g", g}, {"h", h}};
      int64_t first = range.start, last = range.end;
      for (const IndexExpr& e : range.first) first = std::max(first, evaluate(e, values));
      for (const IndexExpr& e : range.last) last = std::min(last, evaluate(e, values));
      RC_ASSERT(range.may_be_empty || first < last);
      for (int64_t k = 0; k < extent; ++k) {
        values["k"] = k;
        const bool holds = std::ranges::all_of(bounds, [&](const Bound& bound) {
          const int64_t value = evaluate(bound.expr, values);
          return bound.lower <= value && value < bound.upper;
        });
        RC_ASSERT(holds == (first <= k && k < last));
      }
    }
  }
}

}  // namespace
}  // namespace dovetail
