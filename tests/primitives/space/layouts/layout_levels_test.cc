// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/layouts/layout_levels.h"

#include <gtest/gtest.h>

#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/points.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::domain_at;
using testing::lowered;
using testing::NamedValues;
using testing::operator_of;
using testing::point_with;
using testing::space_of;

constexpr const char* kWideLayer = "c2d:ci=64,co=128,h=32,w=56,k=3,p=1";
constexpr const char* kWideMatrices = "gmm:m=96,n=128,k=128";

// A layout line of a point.
std::string line_of(const char* spec, const NamedValues& wanted, const std::string& tensor,
                    const Target& target = cpu()) {
  const Space space = space_of(spec, target);
  const Trace trace = space.decode(point_with(space, wanted));
  const Result<Program> program = lowered(*space.spec().region.op, trace, target);
  EXPECT_TRUE(program) << program.error().message;
  const std::string text = print(trace);
  const size_t start = text.find("layout " + tensor + ":");
  return text.substr(start, text.find('\n', start) - start);
}

const NamedValues kLevelTiles = {
    {"register_tile.o", 32}, {"cache_tile.o", 2},    {"register_tile.h", 2},
    {"cache_tile.h", 4},     {"register_tile.w", 4}, {"cache_tile.w", 2},
    {"unroll_part.i", 4},    {"inner_part.i", 4},    {"layout_tile.Y.o", 16}};

NamedValues with_all(NamedValues choices, const NamedValues& more) {
  for (const auto& [name, value] : more) choices[name] = value;
  return choices;
}

TEST(LayoutLevels, OfTheOutputKeepACacheTileTogether) {
  EXPECT_EQ(line_of(kWideLayer,
                    with_all(kLevelTiles, {{"layout_levels.Y", 2},
                                           {"layout_block.Y.o", 4},
                                           {"layout_block.Y.h", 8},
                                           {"layout_tile.Y.w", 4},
                                           {"layout_block.Y.w", 2}}),
                    "Y"),
            "layout Y: split(axis=o, factor=16) split(axis=o.0, factor=4) split(axis=h, factor=8)"
            " split(axis=w, factor=4) split(axis=w.0, factor=2)"
            " reorder(n, o.0.0, h.0, w.0.0, o.0.1, h.1, w.0.1, w.1, o.1)");
}

TEST(LayoutLevels, OfTheWeightsKeepWhatABlockOfTheReductionReadsTogether) {
  EXPECT_EQ(line_of(kWideLayer,
                    with_all(kLevelTiles, {{"layout_levels.W", 2},
                                           {"layout_tile.W.o", 32},
                                           {"layout_block.W.o", 2},
                                           {"layout_tile.W.i", 4},
                                           {"layout_block.W.i", 4}}),
                    "W"),
            "layout W: split(axis=o, factor=32) split(axis=o.0, factor=2) split(axis=i, factor=4)"
            " split(axis=i.0, factor=4)"
            " reorder(o.0.0, i.0.0, o.0.1, i.0.1, kh, kw, i.1, o.1)");
}

TEST(LayoutLevels, OfTheInputKeepTheWindowsOfACacheTileTogether) {
  EXPECT_EQ(line_of(kWideLayer,
                    with_all(kLevelTiles, {{"layout_levels.X", 2},
                                           {"storage.X.h", kUnfoldTile},
                                           {"layout_block.X.h", 4},
                                           {"storage.X.w", kPad},
                                           {"layout_tile.X.i", 4},
                                           {"layout_block.X.i", 4}}),
                    "X"),
            "layout X: split(axis=i, factor=4) split(axis=i.0, factor=4)"
            " pad(axis=h, before=1, after=1) unfold(axis=h, size=4, stride=2)"
            " split(axis=h.0, factor=4) pad(axis=w, before=1, after=1)"
            " reorder(n, i.0.0, h.0.0, w, i.0.1, h.0.1, h.1, i.1)");
}

TEST(LayoutLevels, OfAMatrixProductAreNestedPanels) {
  const NamedValues tiles = {
      {"register_tile.n", 32}, {"cache_tile.n", 2},     {"register_tile.m", 6}, {"cache_tile.m", 4},
      {"layout_levels.Y", 2},  {"layout_tile.Y.n", 32}, {"layout_tile.Y.m", 6}};
  EXPECT_EQ(line_of(kWideMatrices,
                    with_all(tiles, {{"layout_block.Y.n", 2}, {"layout_block.Y.m", 4}}), "Y"),
            "layout Y: split(axis=m, factor=6) split(axis=m.0, factor=4) split(axis=n, factor=32)"
            " split(axis=n.0, factor=2) reorder(b, n.0.0, m.0.0, n.0.1, m.0.1, m.1, n.1)");
}

TEST(LayoutLevels, AreCutWhereTheLoopsAre) {
  const Space space = space_of(kWideMatrices);
  const NamedValues tiles = {{"register_tile.n", 32},
                             {"cache_tile.n", 2},
                             {"layout_tile.Y.n", 16},
                             {"layout_levels.Y", 2}};
  EXPECT_EQ(domain_at(space, tiles, "layout_block.Y.n"),
            (std::vector<int64_t>{2, 4, 8}));  // R, R·M, all
  EXPECT_EQ(domain_at(space, with_all(tiles, {{"layout_tile.Y.n", 128}}), "layout_block.Y.n"),
            (std::vector<int64_t>{1}));
  EXPECT_EQ(domain_at(space, with_all(tiles, {{"layout_levels.Y", 1}}), "layout_block.Y.n"),
            (std::vector<int64_t>{1}));
}

TEST(LayoutLevels, HalfOfTheSamplesHaveOneLevelThroughout) {
  for (const Target& target : {cpu(), testing::opencl_with_images()}) {
    const Space space = space_of(kWideMatrices, target);
    std::mt19937_64 rng(1);
    int plain = 0;
    for (int k = 0; k < 2000; ++k) {
      const std::string text = print(space, space.sample(rng));
      plain += text.find("layout_levels.X=2") == std::string::npos &&
               text.find("layout_levels.W=2") == std::string::npos &&
               text.find("layout_levels.Y=2") == std::string::npos;
    }
    EXPECT_NEAR(plain, 1024, 70);
  }
}

TEST(LayoutLevels, AreOffInFixedLayouts) {
  for (const FixedLayout layout : {FixedLayout::nhwo, FixedLayout::nohw16o}) {
    const Space space = *build_space(operator_of(kWideLayer), cpu(), layout);
    std::mt19937_64 rng(1);
    for (int k = 0; k < 100; ++k)
      EXPECT_EQ(print(space, space.sample(rng)).find("block."), std::string::npos);
  }
}

}  // namespace
}  // namespace dovetail
