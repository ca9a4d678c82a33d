// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/axis_primitives.h"

#include <gtest/gtest.h>

#include "primitives/layout/apply_layout.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/gather_map.h"

namespace dovetail {
namespace {

using testing::applied;
using testing::layout_of;

TEST(LayoutFuse, MakesTwoAxesOne) {
  EXPECT_EQ(print(*applied("fuse(h, w)", layout_of("X[n=2, h=3, w=4]")), "X"),
            "X[n=2, h=3, w=4] as [n@1:2] [h@1:3 w@1:4 =h_w]");
}

TEST(LayoutFuse, TakesAFusedAxisFurther) {
  EXPECT_EQ(print(*applied("fuse(h, w) fuse(n, h_w)", layout_of("X[n=2, h=3, w=4]")), "X"),
            "X[n=2, h=3, w=4] as [n@1:2 h@1:3 w@1:4 =n_h_w]");
}

TEST(LayoutFuse, OfBothPartsOfASplitIsTheAxisAgain) {
  EXPECT_EQ(print(*applied("split(axis=o, factor=4) fuse(o.0, o.1)", layout_of("W[o=12]")), "W"),
            "W[o=12] as [o@1:12]");
}

TEST(LayoutFuse, DropsAnAxisOfOneElement) {
  EXPECT_EQ(print(*applied("fuse(n, h)", layout_of("X[n=1, h=3]")), "X"),
            "X[n=1, h=3] as [h@1:3 =n_h]");
  EXPECT_EQ(print(*applied("fuse(n, h)", layout_of("X[n=1, h=1]")), "X"),
            "X[n=1, h=1] as [h@1:1 =n_h]");
}

TEST(LayoutFuseLaw, StorageDoesNotMove) {
  const Layout x = layout_of("X[n=2, h=6, w=4]");
  for (const char* before :
       {"reorder(n, h, w)", "reorder(w, n, h)", "pad(axis=w, before=1, after=1)",
        "split(axis=h, factor=2) reorder(h.1, n)", "unfold(axis=h, size=4, stride=2)"}) {
    const Layout layout = *applied(before, x);
    for (size_t a = 0; a + 1 < layout.axes.size(); ++a) {
      const layout::Fuse fuse{layout.axes[a].name, layout.axes[a + 1].name};
      const Layout fused = *dovetail::apply(LayoutPrimitive(fuse), layout);
      EXPECT_EQ(fused.axes.size(), layout.axes.size() - 1);
      EXPECT_EQ(gather_map(fused), gather_map(layout)) << before << " " << fuse.outer;
    }
  }
}

TEST(LayoutFuseLaw, SplitByTheInnerExtentUndoesIt) {
  const Layout x = layout_of("X[h=6, w=4]");
  const Layout back = *applied("fuse(h, w) split(axis=h_w, factor=4)", x);
  EXPECT_EQ(gather_map(back), gather_map(x));
  ASSERT_EQ(back.axes.size(), 2u);
  EXPECT_EQ(back.axes[0].digits, x.axes[0].digits);
  EXPECT_EQ(back.axes[1].digits, x.axes[1].digits);
}

TEST(LayoutFuse, FailsWithoutTheAxis) {
  EXPECT_ERROR(applied("fuse(h, c)", layout_of("X[n=2, h=3]")),
               "layout X: fuse(h, c): no axis c, expected one of n, h");
}

TEST(LayoutFuse, FailsWhenTheInnerAxisDoesNotFollow) {
  EXPECT_ERROR(applied("fuse(n, w)", layout_of("X[n=2, h=3, w=4]")),
               "axis w does not directly follow axis n; reorder first");
  EXPECT_ERROR(applied("fuse(w, h)", layout_of("X[n=2, h=3, w=4]")),
               "axis h does not directly follow axis w; reorder first");
  EXPECT_ERROR(applied("fuse(h, h)", layout_of("X[n=2, h=3, w=4]")),
               "axis h does not directly follow axis h; reorder first");
}

}  // namespace
}  // namespace dovetail
