// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/axis_primitives.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "primitives/layout/apply_layout.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/gather_map.h"

namespace dovetail {
namespace {

using testing::applied;
using testing::layout_of;

TEST(LayoutReorder, StoresTheAxesInTheOrderNamed) {
  EXPECT_EQ(print(*applied("reorder(w, n, h)", layout_of("X[n=2, h=3, w=4]")), "X"),
            "X[n=2, h=3, w=4] as [w@1:4] [n@1:2] [h@1:3]");
}

TEST(LayoutReorder, LeavesAxesThatAreNotNamedWhereTheyAre) {
  EXPECT_EQ(print(*applied("reorder(w, n)", layout_of("X[n=2, h=3, w=4]")), "X"),
            "X[n=2, h=3, w=4] as [w@1:4] [h@1:3] [n@1:2]");
}

TEST(LayoutReorder, OfOneAxisIsNoChange) {
  const Layout x = layout_of("X[n=2, h=3]");
  EXPECT_EQ(*applied("reorder(h)", x), x);
}

TEST(LayoutReorder, TransposesTheStorage) {
  const Layout x = *applied("reorder(w, n, h)", layout_of("X[n=2, h=3, w=4]"));
  std::vector<int64_t> expected;
  for (int64_t w = 0; w < 4; ++w) {
    for (int64_t n = 0; n < 2; ++n) {
      for (int64_t h = 0; h < 3; ++h) expected.push_back((n * 3 + h) * 4 + w);
    }
  }
  EXPECT_EQ(gather_map(x), expected);
}

TEST(LayoutReorderLaw, ReorderingBackUndoesIt) {
  const Layout x = *applied("split(axis=w, factor=2) pad(axis=h, before=1, after=0)",
                            layout_of("X[n=2, h=3, w=4]"));
  std::vector<std::string> names;
  for (const PhysicalAxis& axis : x.axes) names.push_back(axis.name);
  std::vector<std::string> order = names;
  std::ranges::sort(order);
  do {
    const Layout reordered = *apply(layout::Reorder{order}, x);
    EXPECT_EQ(*apply(layout::Reorder{names}, reordered), x);
  } while (std::ranges::next_permutation(order).found);
}

TEST(LayoutReorder, FailsWithoutTheAxis) {
  EXPECT_ERROR(applied("reorder(h, c)", layout_of("X[n=2, h=3]")),
               "layout X: reorder(h, c): no axis c, expected one of n, h");
}

TEST(LayoutReorder, FailsWhenAnAxisIsNamedTwice) {
  EXPECT_ERROR(applied("reorder(h, n, h)", layout_of("X[n=2, h=3]")),
               "reorder(h, n, h): axis h is named twice");
}

}  // namespace
}  // namespace dovetail
