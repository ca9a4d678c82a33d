// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/peel_loops.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "primitives/lowering/passes/bounds.h"
#include "tests/primitives/lowering/border_programs.h"
#include "tests/support/golden.h"
#include "tests/support/times_in.h"

namespace dovetail {
namespace {

using testing::parsed_program;
using testing::same_output;

struct RowTile {
  int tiles = 4, tile = 2;
  int vectors = 1;          // unrolled, beside the row
  std::string taps = "kw";  // "kw unrolled": written out
  std::string outer = "";   // kind of the loop around the tile
};

// A 3-tap convolution over a row, with a register tile of some columns.
std::string row_convolution(const RowTile& t) {
  const int width = t.tiles * t.tile;
  const auto tile = [&](int depth) {  // depth of w.1; its body follows
    return fmt::format(
        "{0:{1}}for w.1 in 0..{2} unrolled\n"
        "{0:{1}} for o in 0..{3} unrolled\n{0:{1}}  ",
        "", depth, t.tile, t.vectors);
  };
  const std::string x = fmt::format("{0}*w.0 + w.1 + kw - 1", t.tile);
  const size_t space = t.taps.find(' ');
  return fmt::format(
      "buffer X: f32 activation X[w={0}] as [w@1:{0}]\n"
      "buffer W: f32 constant W[kw=3, o={1}] as [kw@1:3] [o@1:{1}]\n"
      "buffer Y: f32 output Y[w={0}, o={1}] as [w@1:{0}] [o@1:{1}]\nkernel conv\n"
      " for w.0 in 0..{2}{3}\n"
      "  registers acc[{4}, {1}]\n"
      "{5}acc[w.1, o] = 0\n"
      "  for {6} in 0..3{7}\n"
      "{9}acc[w.1, o] += ((0 <= {8} < {0}) ? X[{8}] : 0) * W[kw, o]\n"
      "{5}Y[{4}*w.0 + w.1, o] = acc[w.1, o]\n",
      width, t.vectors, t.tiles, t.outer, t.tile, tile(2), t.taps.substr(0, space),
      space == std::string::npos ? "" : t.taps.substr(space), x, tile(3));
}

// How many kinds of tile the nest is cut into.
size_t pieces(const RowTile& tile) {
  const Program program = parsed_program(row_convolution(tile)), peeled = peel_tiles(program);
  EXPECT_TRUE(same_output(program, peeled));
  return testing::times_in(print(peeled), "registers");
}

TEST(PeelTiles, CutsFirstAndLastTilesAndTheirWindows) {
  const Program program = parsed_program(row_convolution({}));
  const Program peeled = peel_tiles(program);
  EXPECT_GOLDEN(print(peeled), "primitives/peeled_tiles");
  EXPECT_TRUE(same_output(program, peeled));
  EXPECT_EQ(executed_fmas(peeled), 8 * 3 - 2);
}

TEST(PeelTiles, ATileAsWideAsTheRowOnlyCutsItsWindow) {
  const Program program = parsed_program(row_convolution({.tiles = 1, .tile = 5}));
  const std::string text = print(peel_tiles(program));
  EXPECT_EQ(testing::times_in(text, "registers"), 1u) << text;
  EXPECT_EQ(testing::times_in(text, "+="), 3u) << text;
}

TEST(PeelTiles, TwoTilesAreBothBorders) { EXPECT_EQ(pieces({.tiles = 2, .tile = 4}), 2u); }

TEST(PeelTiles, AWindowThatIsWrittenOutStaysOnePiece) {
  const RowTile tile{.taps = "kw unrolled"};
  EXPECT_EQ(pieces(tile), 3u);
  EXPECT_EQ(testing::times_in(print(peel_tiles(parsed_program(row_convolution(tile)))), "+="), 3u);
}

TEST(PeelTiles, ParallelLoopsAreCutInside) {
  EXPECT_EQ(pieces({.outer = " parallel"}), 3u);
  const Program peeled = peel_tiles(parsed_program(row_convolution({.outer = " parallel"})));
  EXPECT_EQ(parallel_extent(peeled.kernels[0]), 4);
  EXPECT_NE(print(peeled).find("    for w.0.piece in 0..1 where 1 <= w.0 + w.0.piece < 3\n"),
            std::string::npos)
      << print(peeled);
}

TEST(PeelTiles, LoopsThatAreWrittenOutOrBoundAreNotCut) {
  EXPECT_EQ(pieces({.outer = " unrolled"}), 1u);
  EXPECT_EQ(pieces({.outer = " bind group.0"}), 1u);
}

TEST(PeelTiles, StaysWithinItsBudgetOfCode) {
  // A piece has (3 taps + 2) x 2 columns x vectors statements; 2,048 are the limit.
  EXPECT_EQ(pieces({.vectors = 60, .taps = "kw unrolled"}), 3u);
  EXPECT_EQ(pieces({.vectors = 100, .taps = "kw unrolled"}), 1u);
}

RC_GTEST_PROP(PeelTilesLaw, ComputesTheSame, ()) {
  const Program program = testing::draw_bounded_convolution();
  const Program peeled = peel_tiles(program), both = peel_tiles(clip_loops(program));
  RC_CLASSIFY(!(peeled == program), "peeled");
  RC_ASSERT(same_output(program, peeled));
  RC_ASSERT(same_output(program, both));
  RC_ASSERT(std::llround(executed_fmas(peeled)) == std::llround(executed_fmas(program)));
  RC_ASSERT(std::llround(executed_fmas(both)) == std::llround(executed_fmas(program)));
}

}  // namespace
}  // namespace dovetail
