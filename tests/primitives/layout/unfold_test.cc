// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/unfold.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/ir/pack.h"
#include "primitives/layout/apply_layout.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"

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

// Tied to output tiles of ht rows under a window of K taps, stride V and dilation δ:
// with M = δ(K - 1) + 1, B = V(ht - 1) + M and S = V·ht, what output i reads at tap r,
// T[V·i + δ·r], is element [i / ht][V·(i mod ht) + δ·r].
TEST(LayoutUnfoldLaw, TiedToOutputTilesNeedsNoDivision) {
  int64_t cases = 0;
  for (int64_t v = 1; v <= 4; ++v) {
    for (int64_t k = 1; k <= 5; ++k) {
      for (int64_t dilation = 1; dilation <= 3; ++dilation) {
        for (int64_t ht = 1; ht <= 6; ++ht) {
          for (int64_t tiles = 1; tiles <= 5; ++tiles) {
            const int64_t window = dilation * (k - 1) + 1, outputs = ht * tiles;
            const int64_t size = v * (ht - 1) + window, stride = v * ht;
            if (stride > size) continue;  // rows between the windows that no output reads
            const Layout x =
                *apply(layout::Unfold{"h", size, stride}, line(v * (outputs - 1) + window));
            ASSERT_EQ(physical_extents(x), (std::vector<int64_t>{tiles, size}));
            const std::vector<int64_t> map = gather_map(x);
            for (int64_t i = 0; i < outputs; ++i) {
              for (int64_t r = 0; r < k; ++r) {
                const int64_t place = i / ht * size + v * (i % ht) + dilation * r;
                ASSERT_EQ(map[static_cast<size_t>(place)], v * i + dilation * r);
                ++cases;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(cases, 23'400);
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
