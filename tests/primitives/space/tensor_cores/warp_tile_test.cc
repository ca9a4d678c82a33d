// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/warp_tile.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/ir/region/task_spec.h"
#include "primitives/space/tensor_cores/tile_layouts.h"
#include "primitives/space/tensor_cores/tile_list.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail::testing {
namespace {

using namespace tensor_cores;  // NOLINT: all of it is tested

Target h200() { return target_of_profile("h200_ptx.profile"); }

WarpProduct product_of(const char* spec) {
  return warp_product(right(parse_task_spec(spec), spec).region, h200()).value();
}

constexpr const char* kBatch = "c2d:n=16,ci=256,co=256,h=14,w=14,k=3,s=1,p=1,dtype=f16";
constexpr uint64_t kAllTaps = 3;

// The example of the header.
TEST(WarpTile, CountsGroupsRoundsAndCopies) {
  const WarpProduct product = product_of(kBatch);
  WarpTile tile{.rows = 64, .columns = 128, .part = 16, .taps = kAllTaps};
  EXPECT_EQ(work_items(tile), 128);
  EXPECT_EQ(elements_in_group(product, tile, "n"), 8);
  EXPECT_EQ(elements_in_group(product, tile, "w"), 8);
  EXPECT_EQ(elements_in_group(product, tile, "o"), 128);
  EXPECT_EQ(elements_in_group(product, tile, "h"), 1);
  EXPECT_EQ(groups(product, tile), 2 * 14 * 2 * 2);
  EXPECT_NEAR(computed_share(product, tile), 16.0 / 14, 1e-9);
  EXPECT_EQ(rounds(product, tile), 16);
  EXPECT_EQ(terms_in_round(product, tile), 16 * 9);
  EXPECT_EQ(copied_elements(product, tile, product.rows), 8 * 16 * (1 + 2) * (8 + 2));
  EXPECT_EQ(copied_elements(product, tile, product.columns), 128 * 16 * 9);
  tile.parts = 2;
  EXPECT_EQ(rounds(product, tile), 8);
  EXPECT_EQ(groups(product, tile), 2 * 2 * 14 * 2 * 2);
}

TEST(WarpTile, HasOneTapOfAWindowOutsideOfARound) {
  const WarpProduct product = product_of(kBatch);
  const WarpTile tile{.rows = 64, .columns = 128, .part = 16, .taps = 2};  // all of kw
  EXPECT_EQ(rounds(product, tile), 16 * 3);
  EXPECT_EQ(copied_elements(product, tile, product.rows), 8 * 16 * 1 * (8 + 2));
  EXPECT_EQ(copied_elements(product, tile, product.columns), 128 * 16 * 3);
}

// Instructions' rows lie along an axis that they divide: two of h here, because seven of w have no
// pairs.
TEST(WarpTile, PutsRowsOfSeveralInstructionsWhereTheyDivide) {
  const WarpProduct product = product_of("c2d:n=8,ci=64,co=64,h=14,w=7,k=3,s=1,p=1,dtype=f16");
  const WarpTile tile{.rows = 128, .columns = 64, .part = 16, .taps = kAllTaps};
  EXPECT_EQ(axis_of_row_tiles(product, tile)->name, "h");
  EXPECT_EQ(elements_in_group(product, tile, "h"), 2);
  EXPECT_EQ(copied_elements(product, tile, product.rows), 8 * 16 * (2 + 2) * (8 + 2));
}

// Phases are copied whole, but for one tap.
TEST(WarpTile, CopiesPhasesOfAStride) {
  const WarpProduct product = product_of("c2d:n=1,ci=64,co=64,h=28,w=28,k=3,s=2,p=1,dtype=f16");
  WarpTile tile{.rows = 64, .columns = 64, .part = 16, .taps = kAllTaps};
  EXPECT_EQ(copied_elements(product, tile, product.rows), 16 * (7 * 2 + 3) * 2 * (8 + 1));
  tile.taps = 1;  // one of kw
  EXPECT_EQ(copied_elements(product, tile, product.rows), 16 * (7 * 2 + 3) * 8);
}

std::string layouts_of(const char* spec, const WarpTile& tile) {
  const WarpProduct product = product_of(spec);
  Trace trace;
  trace.layouts = operand_layouts(product, tile);
  trace.layouts.push_back(output_layout(product, tile));
  return print(trace);
}

TEST(TileLayouts, HaveBlocksInsideOfPixels) {
  const WarpTile tile{.rows = 64,
                      .columns = 128,
                      .part = 16,
                      .taps = kAllTaps,
                      .column_levels = 2,
                      .output_levels = 1};
  EXPECT_EQ(layouts_of(kBatch, tile),
            "layout X: split(axis=n, factor=8) split(axis=i, factor=8) "
            "reorder(n.0, i.0, h, w, n.1, i.1)\n"
            "layout W: split(axis=o, factor=128) split(axis=o.1, factor=8) split(axis=i, "
            "factor=16) split(axis=i.1, factor=8) "
            "reorder(o.0, i.0, kh, kw, o.1.0, i.1.0, o.1.1, i.1.1)\n"
            "layout Y: split(axis=n, factor=8) split(axis=o, factor=8) pad(axis=w, before=0, "
            "after=2) reorder(n.0, o.0, h, w, n.1, o.1)\n");
}

TEST(TileLayouts, OfOneImageKeepItsPixels) {
  const WarpTile tile{.rows = 64, .columns = 64, .part = 16, .taps = kAllTaps, .output_levels = 1};
  EXPECT_EQ(layouts_of("c2d:n=1,ci=64,co=64,h=16,w=16,k=3,s=2,p=1,dtype=f16", tile),
            "layout X: split(axis=w, factor=2) split(axis=i, factor=8) "
            "reorder(n, i.0, w.1, h, w.0, i.1)\n"
            "layout W: split(axis=o, factor=8) split(axis=i, factor=8) "
            "reorder(kh, kw, o.0, i.0, o.1, i.1)\n"
            "layout Y: split(axis=o, factor=8) reorder(n, o.0, h, w, o.1)\n");
}

// A value is offered if and only if some tile has it together with all earlier ones.
TEST(TileList, OffersWhatSomeTileHas) {
  const WarpProduct product = product_of(kBatch);
  const TileList list({.name = "wgmma",
                       .instruction = Instruction::wgmma,
                       .rows = {64, 128},
                       .columns = {64, 128},
                       .row_warps = {1, 2},
                       .column_warps = {1},
                       .terms_a_cycle = 2048},
                      product, h200());
  ASSERT_FALSE(list.empty());
  EXPECT_EQ(list.values(0, {}), (std::vector<int64_t>{64, 128}));
  Choices choices;
  for (size_t i = 0; i < list.columns().size(); ++i) {
    const std::vector<int64_t> values = list.values(i, choices);
    const int64_t fastest = list.value(i, list.fastest());
    EXPECT_TRUE(std::ranges::find(values, fastest) != values.end()) << list.columns()[i].meaning;
    EXPECT_TRUE(std::ranges::is_sorted(values));
    choices.set(list.columns()[i].id, fastest);
  }
  choices.set(list.columns()[0].id, 32);
  EXPECT_TRUE(list.values(1, choices).empty()) << "no tile has 32 rows";
}

// 128 sums each, and a unit has 128 registers for each of 512 work-items.
TEST(TileList, OffersNoTileWithoutRegistersForIt) {
  const WarpProduct product = product_of("gmm:m=4096,n=4096,k=4096,dtype=f16");
  const TileList list({.name = "wgmma",
                       .instruction = Instruction::wgmma,
                       .rows = {64},
                       .columns = {256},
                       .row_warps = {1, 2, 4},
                       .column_warps = {1},
                       .terms_a_cycle = 2048},
                      product, h200());
  Choices choices;
  choices.set(list.columns()[0].id, 64);
  choices.set(list.columns()[1].id, 256);
  EXPECT_EQ(list.values(2, choices), (std::vector<int64_t>{1, 2}));
}

}  // namespace
}  // namespace dovetail::testing
