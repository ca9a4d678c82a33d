// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/axis_primitives.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/ir/layout/pack.h"
#include "primitives/layout/apply_layout.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/gather_map.h"

namespace dovetail {
namespace {

using testing::applied;
using testing::layout_of;

TEST(LayoutPad, StoresZerosOnBothSides) {
  const Layout x = *applied("pad(axis=h, before=1, after=2)", layout_of("X[h=3]"));
  EXPECT_EQ(print(x, "X"), "X[h=3] as [h@1:6] offset h=-1");
  EXPECT_EQ(gather_map(x), (std::vector<int64_t>{-1, 0, 1, 2, -1, -1}));
}

TEST(LayoutPad, TwiceAddsUp) {
  const Layout x = layout_of("X[n=2, h=3]");
  EXPECT_EQ(*applied("pad(axis=h, before=1, after=0) pad(axis=h, before=2, after=1)", x),
            *applied("pad(axis=h, before=3, after=1)", x));
}

TEST(LayoutPad, OfTheOuterPartOfASplitAddsWholeTiles) {
  const Layout x =
      *applied("split(axis=h, factor=2) pad(axis=h.0, before=1, after=1)", layout_of("X[h=4]"));
  EXPECT_EQ(print(x, "X"), "X[h=4] as [h@2:4 =h.0] [h@1:2 =h.1] offset h=-2");
  EXPECT_EQ(gather_map(x), (std::vector<int64_t>{-1, -1, 0, 1, 2, 3, -1, -1}));
}

TEST(LayoutPad, MakesATileFitThatDoesNotDivide) {
  const Layout x =
      *applied("pad(axis=h, before=0, after=1) split(axis=h, factor=4)", layout_of("X[h=7]"));
  EXPECT_EQ(gather_map(x), (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, -1}));
}

// X[n=2, h=3, w=2] with h padded, by the definition.
std::vector<int64_t> padded_rows(int64_t before, int64_t after) {
  std::vector<int64_t> expected;
  for (int64_t n = 0; n < 2; ++n) {
    for (int64_t h = 0; h < before + 3 + after; ++h) {
      const bool inside = h >= before && h < before + 3;
      for (int64_t w = 0; w < 2; ++w)
        expected.push_back(inside ? (n * 3 + h - before) * 2 + w : -1);
    }
  }
  return expected;
}

TEST(LayoutPadLaw, ElementHStoresLogicalHLessBefore) {
  for (int64_t before = 0; before < 4; ++before) {
    for (int64_t after = 0; after < 4; ++after) {
      if (before + after == 0) continue;
      const Layout x = *apply(layout::Pad{"h", before, after}, layout_of("X[n=2, h=3, w=2]"));
      EXPECT_EQ(gather_map(x), padded_rows(before, after));
    }
  }
}

TEST(LayoutPadLaw, UnpackUndoesPack) {
  for (const char* text :
       {"pad(axis=h, before=1, after=0)", "pad(axis=n, before=2, after=1) fuse(n, h)",
        "pad(axis=h, before=1, after=4) split(axis=h, factor=5) reorder(h.1, n)",
        "split(axis=h, factor=2) pad(axis=h.0, before=1, after=3) reorder(h.0, n)"}) {
    const Layout x = *applied(text, layout_of("X[n=3, h=10]"));
    std::vector<float> logical(30), physical(static_cast<size_t>(storage_elements(x))), back(30);
    std::iota(logical.begin(), logical.end(), 1.0f);
    pack(x, logical, physical);
    unpack(x, physical, back);
    EXPECT_EQ(back, logical) << text;
  }
}

TEST(LayoutPad, FailsWithoutTheAxis) {
  EXPECT_ERROR(applied("pad(axis=c, before=1, after=1)", layout_of("X[n=2, h=3]")),
               "layout X: pad(axis=c, before=1, after=1): no axis c, expected one of n, h");
}

TEST(LayoutPad, FailsWhenItAddsNothing) {
  EXPECT_ERROR(applied("pad(axis=h, before=0, after=0)", layout_of("X[h=3]")),
               "expected before and after from 0 to 2^31, not both 0");
}

TEST(LayoutPad, FailsOnNegativeOrHugeAmounts) {
  const Layout x = layout_of("X[h=3]");
  for (const layout::Pad& pad :
       {layout::Pad{"h", -1, 2}, layout::Pad{"h", 2, -1}, layout::Pad{"h", int64_t{1} << 32, 0}}) {
    EXPECT_ERROR(apply(pad, x), "expected before and after from 0 to 2^31, not both 0");
  }
}

TEST(LayoutPad, FailsOnAFusedAxis) {
  EXPECT_ERROR(applied("fuse(h, w) pad(axis=h_w, before=1, after=1)", layout_of("X[h=3, w=4]")),
               "axis h_w is fused; do this before fuse");
}

TEST(LayoutPad, FailsOnTheInnerPartOfADimension) {
  EXPECT_ERROR(
      applied("split(axis=h, factor=2) pad(axis=h.1, before=1, after=1)", layout_of("X[h=4]")),
      "axis h.1 is an inner part of dimension h; do this before split or unfold");
}

TEST(LayoutPad, FailsWhenStorageIsNoLongerAddressable) {
  EXPECT_ERROR(applied("pad(axis=h, before=2000000000, after=0)", layout_of("X[n=1024, h=3]")),
               "storage exceeds 2^40 elements");
}

}  // namespace
}  // namespace dovetail
