// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/access.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/ir/index/element_stride.h"
#include "primitives/apply.h"
#include "primitives/lowering/stage_passes.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::lowered;
using testing::operator_of;

// Physical indices of the operator's first (0) or second (1) operand, and the bounds on them:
// `i.0, 0, h + kh | 0 <= …`.
Result<std::string> access_of(std::string_view spec, const std::string& trace, size_t operand = 0) {
  const Schedule schedule = TRY(apply(TRY(parse_trace(trace)), operator_of(spec), cpu()));
  const Stage stage = TRY(drop_unit_loops(schedule.stages.back()));
  const Access& access = stage.computation.reads[operand];
  for (const ScheduledTensor& tensor : schedule.tensors) {
    if (tensor.name != access.tensor) continue;
    const RewrittenAccess rewritten = TRY(rewrite_access(access, tensor, stage));
    std::string text;
    for (const IndexExpr& index : rewritten.indices)
      text += (text.empty() ? "" : ", ") + print(index);
    for (const Bound& bound : rewritten.bounds) {
      text += " | " + std::to_string(bound.lower) + " <= " + print(bound.expr) + " < " +
              std::to_string(bound.upper);
    }
    return text;
  }
  return fail("no tensor " + access.tensor);
}

constexpr const char* kConvolution = "c2d:ci=64,co=64,h=56,w=56,k=3,p=1";

TEST(Access, WithoutPrimitivesIsTheDefinition) {
  EXPECT_EQ(*access_of(kConvolution, ""),
            "0, i, h + kh - 1, kw + w - 1 | 0 <= h + kh - 1 < 56 | 0 <= kw + w - 1 < 56");
}

TEST(Access, PaddingTakesTheBoundsAway) {
  EXPECT_EQ(*access_of(kConvolution,
                       "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)\n"),
            "0, i, h + kh, kw + w");
}

TEST(Access, TooLittlePaddingLeavesABound) {
  EXPECT_EQ(*access_of(kConvolution,
                       "layout X: pad(axis=h, before=1, after=0) pad(axis=w, before=1, after=1)\n"),
            "0, i, h + kh, kw + w | -1 <= h + kh - 1 < 56");
}

TEST(Access, MatchingCutsLeaveNoDivision) {
  EXPECT_EQ(*access_of(kConvolution,
                       "layout W: split(axis=o, factor=32) split(axis=i, factor=16)"
                       " reorder(o.0, i.0, kh, kw, i.1, o.1)\n"
                       "layout Y: split(axis=o, factor=16)\n"
                       "loops: split(loop=o.0, factor=2) ; split(loop=i, factor=16)"
                       " ; split(loop=i.1, factor=4)\n",
                       1),
            "o.0.0, i.0, kh, kw, 4*i.1.0 + i.1.1, 16*o.0.1 + o.1");
}

TEST(Access, ACutOfTheLayoutInAWholeLoopIsADivisionOfThatLoop) {
  EXPECT_EQ(*access_of("gmm:m=8,n=8,k=12", "layout X: split(axis=k, factor=4)\n"),
            "0, m, (k div 4), (k mod 4)");
}

TEST(Access, FusedStorageIsOneIndex) {
  EXPECT_EQ(*access_of("gmm:m=8,n=8,k=12", "layout X: fuse(m, k)\n"), "0, k + 12*m");
}

TEST(Access, UnfoldTiedToTilesTakesTheOutputsOwnLoops) {
  EXPECT_EQ(*access_of(kConvolution,
                       "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)"
                       " unfold(axis=h, size=6, stride=4) unfold(axis=w, size=16, stride=14)"
                       " split(axis=i, factor=16) reorder(i.0, n, h.0, w.0, h.1, w.1, i.1)\n"
                       "layout Y: split(axis=h, factor=4) split(axis=w, factor=14)\n"
                       "loops: split(loop=w.1, factor=7) ; split(loop=i, factor=16)\n"),
            "i.0, 0, h.0, w.0, h.1 + kh, kw + 7*w.1.0 + w.1.1, i.1");
}

TEST(Access, UnfoldAtSinglePixelsIsIm2col) {
  EXPECT_EQ(*access_of("c1d:ci=2,co=2,w=8,k=3", "layout X: unfold(axis=w, size=3, stride=1)\n"),
            "0, i, w, kw");
}

// With stride 4 and three taps a window ends before the next one starts: the gap is stored, too.
TEST(Access, UnfoldUnderAStrideThatSkipsRows) {
  EXPECT_EQ(*access_of("c1d:ci=2,co=2,w=15,k=3,s=4",
                       "layout X: unfold(axis=w, size=8, stride=8)\n"
                       "layout Y: split(axis=w, factor=2)\n"),
            "0, i, w.0, kw + 4*w.1");
}

// Output tiles of `rows` rows under a window of `taps` taps.
struct TiedAccess {
  int64_t stride, taps, dilation, rows, tiles;
  int64_t window() const { return dilation * (taps - 1) + 1; }
  int64_t size() const { return stride * (rows - 1) + window(); }
  std::string spec() const {
    return fmt::format("c1d:ci=2,co=2,w={},k={},s={},d={}", stride * (rows * tiles - 1) + window(),
                       taps, stride, dilation);
  }
  std::string trace() const {
    return fmt::format(
        "layout X: unfold(axis=w, size={}, stride={})\nlayout Y: split(axis=w, factor={})\n",
        size(), stride * rows, rows);
  }
};

void expect_division_free(const TiedAccess& c) {
  const Result<std::string> access = access_of(c.spec(), c.trace());
  ASSERT_TRUE(access) << access.error().message << "\n" << c.spec() << "\n" << c.trace();
  EXPECT_TRUE(access->starts_with("0, i, w.0, ")) << *access;
  for (const char* word : {"div", "mod", "|"})
    EXPECT_EQ(access->find(word), std::string::npos) << *access;
  const Result<Program> program = lowered(c.spec(), c.trace());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(testing::computes(operator_of(c.spec()), *program)) << c.spec() << "\n" << c.trace();
}

// B = V(ht - 1) + M and S = V·ht, M = δ(K - 1) + 1: for every stride, kernel, dilation and tile the
// access needs no division and no bound.
TEST(AccessLaw, UnfoldTiedToTilesIsDivisionFree) {
  int cases = 0;
  for (int64_t flat = 0; flat < 3 * 4 * 3 * 4 * 3; ++flat) {
    const TiedAccess c{1 + flat % 3, 1 + flat / 3 % 4, 1 + flat / 12 % 3, 2 + flat / 36 % 4,
                       2 + flat / 144};
    if (c.stride * c.rows > c.size()) continue;
    expect_division_free(c);
    ++cases;
  }
  EXPECT_GT(cases, 250);
}

TEST(Access, FailsOnABrokenChain) {
  EXPECT_ERROR(access_of("gmm:m=8,n=8,k=12",
                         "layout X: split(axis=k, factor=4)\nloops: split(loop=k, factor=6)\n"),
               "layout X: the cut at 4 of axis k is no cut of the loops (k = 6*k.0 + k.1); use a "
               "multiple or a divisor of theirs");
}

TEST(Access, FailsWhenAWindowCrossesACut) {
  EXPECT_ERROR(
      access_of(kConvolution, "layout X: pad(axis=h, before=1, after=1) split(axis=h, factor=2)\n"),
      "layout X.pad: the cut at 2 of axis h is no cut of the loops (h = h + kh)");
}

// Taps alone choose the phase; where they do not, a pixel's own would.
TEST(Access, OfAStridedWindowIsInThePhaseOfItsTap) {
  const std::string spec = "c1d:ci=2,co=2,w=14,k=3,s=2,p=1";
  const std::string trace = "layout X: split(axis=w, factor=2) reorder(n, w.1, i, w.0)\n";
  EXPECT_EQ(testing::right(access_of(spec, trace)),
            "0, ((kw + 1) mod 2), i, w + ((kw + 1) div 2) - 1 | 0 <= kw + 2*w - 1 < 14");
  const Result<Program> program = lowered(spec, trace);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(testing::computes(operator_of(spec), *program));
  EXPECT_ERROR(access_of("c1d:ci=2,co=2,w=14,k=3,s=1,p=1", trace),
               "the cut at 2 of axis w is no cut of the loops (w = kw + w - 1)");
}

TEST(Access, FailsWhenAnUnfoldFollowsNoTile) {
  EXPECT_ERROR(
      access_of("c1d:ci=2,co=2,w=14,k=3",
                "layout X: unfold(axis=w, size=6, stride=4)\n"
                "layout Y: split(axis=w, factor=6)\n"),
      "layout X.pad: unfold of axis w: a window reaches elements 0 to 13 of tiles "
      "0 to 0, stored are 0 to 5 of 0 to 2; size and stride must follow a cut of the output");
}

TEST(ElementStride, AddsUpOverTheAxes) {
  const Layout layout = testing::layout_of("X[a=2, h=5, w=7]");
  const auto index = [](const char* text) { return *parse_index_expression(text); };
  EXPECT_EQ(*element_stride({index("0"), index("h"), index("w")}, physical_extents(layout), "w"),
            1);
  EXPECT_EQ(*element_stride({index("0"), index("h"), index("w")}, physical_extents(layout), "h"),
            7);
  EXPECT_EQ(*element_stride({index("v"), index("2*v"), index("h")}, physical_extents(layout), "v"),
            35 + 14);
  EXPECT_EQ(*element_stride({index("0"), index("h"), index("w")}, physical_extents(layout), "n"),
            0);
}

TEST(ElementStride, FailsWhereALoopIsDivided) {
  const Layout layout = testing::layout_of("X[h=5, w=7]");
  EXPECT_ERROR(
      element_stride({*parse_index_expression("(h_w div 7)"), *parse_index_expression("w")},
                     physical_extents(layout), "h_w"),
      "index (h_w div 7) divides loop h_w");
}

}  // namespace
}  // namespace dovetail
