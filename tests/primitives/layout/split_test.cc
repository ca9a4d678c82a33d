// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/axis_primitives.h"

#include <gtest/gtest.h>

#include <numeric>

#include "primitives/divisors.h"
#include "primitives/layout/apply_layout.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/gather_map.h"

namespace dovetail {
namespace {

using testing::applied;
using testing::layout_of;

TEST(LayoutSplit, GivesAnOuterAndAnInnerAxis) {
  EXPECT_EQ(print(*applied("split(axis=o, factor=16)", layout_of("W[o=64, i=3]")), "W"),
            "W[o=64, i=3] as [o@16:4 =o.0] [o@1:16 =o.1] [i@1:3]");
}

TEST(LayoutSplit, AloneMovesNothing) {
  const Layout w = layout_of("W[o=12, i=3]");
  EXPECT_EQ(gather_map(*applied("split(axis=o, factor=4)", w)), gather_map(w));
}

TEST(LayoutSplit, MakesNeighboursContiguousOnceTheInnerAxisIsLast) {
  const Layout w =
      *applied("split(axis=o, factor=4) reorder(o.0, i, o.1)", layout_of("W[o=12, i=3]"));
  std::vector<int64_t> expected;
  for (int64_t outer = 0; outer < 3; ++outer) {
    for (int64_t i = 0; i < 3; ++i) {
      for (int64_t inner = 0; inner < 4; ++inner) expected.push_back((4 * outer + inner) * 3 + i);
    }
  }
  EXPECT_EQ(gather_map(w), expected);
}

TEST(LayoutSplit, SplitsAPartAgain) {
  EXPECT_EQ(
      print(*applied("split(axis=o, factor=6) split(axis=o.1, factor=2)", layout_of("W[o=12]")),
            "W"),
      "W[o=12] as [o@6:2 =o.0] [o@2:3 =o.1.0] [o@1:2 =o.1.1]");
}

TEST(LayoutSplit, KeepsThePaddingInFront) {
  EXPECT_EQ(
      print(*applied("pad(axis=h, before=1, after=2) split(axis=h, factor=5)", layout_of("X[h=7]")),
            "X"),
      "X[h=7] as [h@5:2 =h.0] [h@1:5 =h.1] offset h=-1");
}

TEST(LayoutSplit, OfAFusedAxisFallsOnItsCuts) {
  const Layout x = layout_of("X[h=6, w=4]");
  EXPECT_EQ(print(*applied("fuse(h, w) split(axis=h_w, factor=4)", x), "X"),
            "X[h=6, w=4] as [h@1:6 =h_w.0] [w@1:4 =h_w.1]");
  EXPECT_EQ(print(*applied("fuse(h, w) split(axis=h_w, factor=2)", x), "X"),
            "X[h=6, w=4] as [h@1:6 w@2:2 =h_w.0] [w@1:2 =h_w.1]");
  EXPECT_EQ(print(*applied("fuse(h, w) split(axis=h_w, factor=12)", x), "X"),
            "X[h=6, w=4] as [h@3:2 =h_w.0] [h@1:3 w@1:4 =h_w.1]");
  EXPECT_EQ(print(*applied("fuse(h, w) split(axis=h_w, factor=24)", x), "X"),
            "X[h=6, w=4] as [h@6:1 =h_w.0] [h@1:6 w@1:4 =h_w.1]");
}

// Every axis of a few layouts by every factor: what fuse puts together again is the same layout,
// and unpacking what was packed gives the tensor back.
TEST(LayoutSplitLaw, FuseUndoesIt) {
  const Layout x = layout_of("X[n=2, h=6, w=12]");
  int cases = 0;
  for (const char* before : {"reorder(n, h, w)", "reorder(w, n, h)", "fuse(h, w)", "fuse(n, h)",
                             "split(axis=w, factor=4)", "pad(axis=h, before=1, after=3)",
                             "unfold(axis=w, size=6, stride=3)",
                             "split(axis=w, factor=3) reorder(w.1, h) fuse(w.0, h)"}) {
    const Layout layout = *applied(before, x);
    for (const PhysicalAxis& axis : layout.axes) {
      for (int64_t factor : divisors(axis.extent())) {
        const Result<Layout> split = apply(layout::Split{axis.name, factor}, layout);
        if (!split) continue;
        EXPECT_EQ(gather_map(*split), gather_map(layout)) << before << " " << axis.name;
        const layout::Fuse back{axis.name + ".0", axis.name + ".1"};
        EXPECT_EQ(*dovetail::apply(LayoutPrimitive(back), *split), layout)
            << before << " " << axis.name;
        ++cases;
      }
    }
  }
  EXPECT_GT(cases, 60);
}

TEST(LayoutSplit, FailsWithoutTheAxis) {
  EXPECT_ERROR(applied("split(axis=c, factor=2)", layout_of("W[o=64, i=3]")),
               "layout X: split(axis=c, factor=2): no axis c, expected one of o, i");
}

TEST(LayoutSplit, FailsWhenTheFactorDoesNotDivide) {
  EXPECT_ERROR(
      applied("split(axis=o, factor=5)", layout_of("W[o=64, i=3]")),
      "factor 5 does not divide extent 64 of axis o; pad first or use 2, 4, 8, 16, 32, 64");
}

TEST(LayoutSplit, FailsWhenTheFactorIsNotAboveOne) {
  for (const char* factor : {"1", "0", "-2"}) {
    EXPECT_ERROR(apply(layout::Split{"o", std::stoll(factor)}, layout_of("W[o=64]")),
                 std::string("factor ") + factor + " of axis o, expected at least 2");
  }
}

TEST(LayoutSplit, FailsBetweenTheCutsOfAFusedAxis) {
  EXPECT_ERROR(applied("fuse(h, w) split(axis=h_w, factor=3)", layout_of("X[h=6, w=4]")),
               "factor 3 breaks the cut chain of fused axis h_w at extent 4");
}

}  // namespace
}  // namespace dovetail
