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

Layout line(int64_t extent) { return identity_layout({{"h", extent}}); }

TEST(LayoutUnfold, StoresWindowsThatOverlap) {
  EXPECT_EQ(print(*applied("unfold(axis=h, size=6, stride=4)", layout_of("X[h=58]")), "X"),
            "X[h=58] as [h@4:14 =h.0] [h@1:6 =h.1]");
}

TEST(LayoutUnfold, WithoutOverlapIsASplit) {
  const Layout x = layout_of("X[n=2, h=12]");
  EXPECT_EQ(*applied("unfold(axis=h, size=4, stride=4)", x),
            *applied("split(axis=h, factor=4)", x));
}

TEST(LayoutUnfold, PadsTheLastTileWithZeros) {
  const Layout x = *applied("unfold(axis=h, size=4, stride=2)", layout_of("X[h=7]"));
  EXPECT_EQ(gather_map(x), (std::vector<int64_t>{0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, -1}));
}

TEST(LayoutUnfold, OfTheOuterPartOfASplitRepeatsWholeTiles) {
  const Layout x =
      *applied("split(axis=h, factor=2) unfold(axis=h.0, size=2, stride=1)", layout_of("X[h=6]"));
  EXPECT_EQ(print(x, "X"), "X[h=6] as [h@2:2 =h.0.0] [h@2:2 =h.0.1] [h@1:2 =h.1]");
  EXPECT_EQ(gather_map(x), (std::vector<int64_t>{0, 1, 2, 3, 2, 3, 4, 5}));
}

// Element [t][b] is T[S·t + b]; there are ⌈(D - B)/S⌉ + 1 tiles, and every element is in one.
TEST(LayoutUnfoldLaw, ElementOfATileIsTheDefinition) {
  for (int64_t extent = 1; extent <= 24; ++extent) {
    for (int64_t size = 1; size <= extent; ++size) {
      for (int64_t stride = 1; stride <= size; ++stride) {
        const Layout x = *apply(layout::Unfold{"h", size, stride}, line(extent));
        const int64_t tiles = (extent - size + stride - 1) / stride + 1;
        std::vector<int64_t> expected;
        for (int64_t t = 0; t < tiles; ++t) {
          for (int64_t b = 0; b < size; ++b)
            expected.push_back(stride * t + b < extent ? stride * t + b : -1);
        }
        ASSERT_EQ(gather_map(x), expected) << extent << " " << size << " " << stride;
      }
    }
  }
}

TEST(LayoutUnfoldLaw, UnpackUndoesPack) {
  for (int64_t extent = 1; extent <= 13; ++extent) {
    for (int64_t size = 1; size <= extent; ++size) {
      for (int64_t stride = 1; stride <= size; ++stride) {
        const Layout x = *apply(layout::Unfold{"h", size, stride}, line(extent));
        std::vector<float> logical(static_cast<size_t>(extent)), back(logical.size());
        std::vector<float> physical(static_cast<size_t>(storage_elements(x)));
        std::iota(logical.begin(), logical.end(), 1.0f);
        pack(x, logical, physical);
        unpack(x, physical, back);
        ASSERT_EQ(back, logical) << extent << " " << size << " " << stride;
      }
    }
  }
}

// Output tiles of `rows` rows under a window of `taps` taps, with their layout.
struct TiedCase {
  int64_t stride, taps, dilation, rows, tiles;
  int64_t window() const { return dilation * (taps - 1) + 1; }
  int64_t size() const { return stride * (rows - 1) + window(); }
};

std::vector<TiedCase> tied_cases() {
  std::vector<TiedCase> cases = {{1, 1, 1, 1, 1}};
  const auto times = [&](int64_t TiedCase::* field, int64_t last) {
    const std::vector<TiedCase> before = cases;
    for (TiedCase c : before) {
      for (c.*field = 2; c.*field <= last; ++(c.*field)) cases.push_back(c);
    }
  };
  times(&TiedCase::stride, 4);
  times(&TiedCase::taps, 5);
  times(&TiedCase::dilation, 3);
  times(&TiedCase::rows, 6);
  times(&TiedCase::tiles, 5);
  // Else there are rows between the windows that no output reads.
  std::erase_if(cases, [](const TiedCase& c) { return c.stride * c.rows > c.size(); });
  return cases;
}

// With M = δ(K - 1) + 1, B = V(ht - 1) + M and S = V·ht, what output i reads at tap r,
// T[V·i + δ·r], is element [i / ht][V·(i mod ht) + δ·r].
TEST(LayoutUnfoldLaw, TiedToOutputTilesNeedsNoDivision) {
  int64_t reads = 0;
  for (const TiedCase& c : tied_cases()) {
    const int64_t outputs = c.rows * c.tiles;
    const Layout x = *apply(layout::Unfold{"h", c.size(), c.stride * c.rows},
                            line(c.stride * (outputs - 1) + c.window()));
    ASSERT_EQ(physical_extents(x), (std::vector<int64_t>{c.tiles, c.size()}));
    const std::vector<int64_t> map = gather_map(x);
    for (int64_t i = 0; i < outputs; ++i) {
      for (int64_t r = 0; r < c.taps; ++r) {
        const int64_t inside = c.stride * (i % c.rows) + c.dilation * r;
        ASSERT_EQ(map[static_cast<size_t>(i / c.rows * c.size() + inside)],
                  c.stride * i + c.dilation * r);
        ++reads;
      }
    }
  }
  EXPECT_GT(reads, 23'400);
}

TEST(LayoutUnfold, FailsWithoutTheAxis) {
  EXPECT_ERROR(applied("unfold(axis=c, size=3, stride=1)", layout_of("X[n=2, h=3]")),
               "layout X: unfold(axis=c, size=3, stride=1): no axis c, expected one of n, h");
}

TEST(LayoutUnfold, FailsWhenTheStrideWouldLoseData) {
  EXPECT_ERROR(applied("unfold(axis=h, size=3, stride=4)", layout_of("X[h=9]")),
               "stride 4 exceeds size 3 and would lose data");
}

TEST(LayoutUnfold, FailsWhenATileIsLargerThanTheAxis) {
  EXPECT_ERROR(applied("unfold(axis=h, size=10, stride=4)", layout_of("X[h=9]")),
               "size 10 exceeds extent 9 of axis h");
}

TEST(LayoutUnfold, FailsOnSizesBelowOne) {
  for (const layout::Unfold& unfold :
       {layout::Unfold{"h", 0, 1}, layout::Unfold{"h", 3, 0}, layout::Unfold{"h", -3, -4}}) {
    EXPECT_ERROR(apply(unfold, layout_of("X[h=9]")), "expected size and stride of at least 1");
  }
}

TEST(LayoutUnfold, FailsOnAFusedAxis) {
  EXPECT_ERROR(applied("fuse(h, w) unfold(axis=h_w, size=3, stride=1)", layout_of("X[h=3, w=4]")),
               "axis h_w is fused; do this before fuse");
}

TEST(LayoutUnfold, FailsOnTheInnerPartOfADimension) {
  EXPECT_ERROR(
      applied("split(axis=h, factor=4) unfold(axis=h.1, size=3, stride=1)", layout_of("X[h=8]")),
      "axis h.1 is an inner part of dimension h; do this before split or unfold");
}

}  // namespace
}  // namespace dovetail
