// SPDX-License-Identifier: Apache-2.0
//
// The assembly of one fixed target shows what decides the speed: tiles that stay in registers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/expect_same.h"
#include "tests/core/codegen/llvm/programs.h"

namespace dovetail::testing {
namespace {

struct Tile {
  int rows = 7, vectors = 2;
  int unrolled_channels = 4;  // input channels, 16 in all
  bool unrolled_taps = false;
  bool guarded = false;  // reads outside of the rows are zero, instead of a padded input
};

// It writes a 3-tap convolution over rows of 16 channels, with a register tile of rows x vectors.
std::string convolution(const Tile& tile) {
  const int width = 8 * tile.rows;
  const std::string x = fmt::format("X[{0}*w.0 + w.1 + kw{1}, {2}*i.0 + i.1]", tile.rows,
                                    tile.guarded ? " - 1" : "", tile.unrolled_channels);
  const std::string guard = fmt::format("(0 <= {}*w.0 + w.1 + kw - 1 < {})", tile.rows, width);
  const std::string lanes = fmt::format(
      "for w.1 in 0..{} unrolled\n   for o.0 in 0..{} unrolled\n    for o.1 in 0..16 vectorized\n"
      "     ",
      tile.rows, tile.vectors);
  return fmt::format(
      "buffer X: f32 activation X[w={0}, i=16] as [w@1:{0}] [i@1:16]\n"
      "buffer W: f32 constant W[k=3, i=16, o={1}] as [k@1:3] [i@1:16] [o@1:{1}]\n"
      "buffer Y: f32 output Y[w={2}, o={1}] as [w@1:{2}] [o@1:{1}]\n"
      "kernel conv\n"
      " for w.0 in 0..8 parallel\n"
      "  registers acc[{3}, {4}, 16]\n"
      "  {5}acc[w.1, o.0, o.1] = 0\n"
      "  for i.0 in 0..{7}\n"
      "   for kw in 0..3{6}\n"
      "    for i.1 in 0..{8} unrolled\n"
      "     for w.1 in 0..{3} unrolled\n"
      "      for o.0 in 0..{4} unrolled\n"
      "       for o.1 in 0..16 vectorized\n"
      "        acc[w.1, o.0, o.1] += {9} * W[kw, {8}*i.0 + i.1, 16*o.0 + o.1]\n"
      "  {5}Y[{3}*w.0 + w.1, 16*o.0 + o.1] = acc[w.1, o.0, o.1]\n",
      tile.guarded ? width : width + 2, 16 * tile.vectors, width, tile.rows, tile.vectors, lanes,
      tile.unrolled_taps ? " unrolled" : "", 16 / tile.unrolled_channels, tile.unrolled_channels,
      tile.guarded ? "(" + guard + " ? " + x + " : 0)" : x);
}

std::string assembly(const std::string& text) {
  const Target target = *cpu_target(*parse_target_name("cpu:arch=skylake-avx512"));
  return *emit_assembly(program_of(text), target);
}

int lines_with(const std::string& text, const std::string& first, const std::string& second) {
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(first) != std::string::npos && line.find(second) != std::string::npos) ++count;
  }
  return count;
}

int spills(const std::string& text) { return lines_with(assembly(text), "zmm", "(%rsp)"); }

TEST(Assembly, TilesOfTheWorkedConvolutionAreMultiplyAddsOnRegisters) {
  const std::string text = assembly(kConvolution);
  EXPECT_EQ(lines_with(text, "zmm", "(%rsp)"), 0);
  EXPECT_EQ(lines_with(text, "vfmadd", "zmm"), 4 * 14);
  EXPECT_EQ(lines_with(text, "call", ""), 0);
}

TEST(Assembly, LargeTilesAndManyUnrolledPointsAreNotSpilled) {
  EXPECT_EQ(spills(convolution({14, 2, 1})), 0);
  EXPECT_EQ(spills(convolution({14, 2, 2})), 0);
  EXPECT_EQ(spills(convolution({7, 2, 16})), 0);
  EXPECT_EQ(spills(convolution({7, 2, 4, true})), 0);
  EXPECT_EQ(spills(convolution({28, 1, 1, true})), 0);
  EXPECT_EQ(spills(convolution({4, 4, 4})), 0);
}

TEST(Assembly, GuardedTilesAreNotSpilled) {
  EXPECT_EQ(spills(convolution({7, 2, 4, false, true})), 0);
  EXPECT_EQ(spills(convolution({4, 4, 2, false, true})), 0);
}

// Not across two cache lines, as LLVM puts them unless it is told.
TEST(Assembly, WhatIsSpilledIsAligned) {
  const std::string text = assembly(convolution({12, 4, 1}));
  EXPECT_GT(lines_with(text, "vmovaps", "(%rsp)"), 0);
  EXPECT_EQ(lines_with(text, "vmovups", "(%rsp)"), 0);
}

// The first of 8 tiles: the bound is known at each of the 3 x 4 points, and fails at one.
constexpr const char* kBorderTile =
    "buffer X: f32 activation X[w=32, i=16] as [w@1:32] [i@1:16]\n"
    "buffer W: f32 constant W[k=3, i=16, o=32] as [k@1:3] [i@1:16] [o@1:32]\n"
    "buffer Y: f32 output Y[w=4, o=32] as [w@1:4] [o@1:32]\n"
    "kernel conv\n"
    " for w.0 in 0..1\n"
    "  registers acc[4, 2, 16]\n"
    "  for w in 0..4 unrolled\n   for o.0 in 0..2 unrolled\n    for o in 0..16 vectorized\n"
    "     acc[w, o.0, o] = 0\n"
    "  for i in 0..16\n"
    "   for k in 0..3 unrolled\n"
    "    for w in 0..4 unrolled\n     for o.0 in 0..2 unrolled\n      for o in 0..16 vectorized\n"
    "       acc[w, o.0, o] += ((0 <= 4*w.0 + w + k - 1 < 32) ? X[4*w.0 + w + k - 1, i] : 0)"
    " * W[k, i, 16*o.0 + o]\n"
    "  for w in 0..4 unrolled\n   for o.0 in 0..2 unrolled\n    for o in 0..16 vectorized\n"
    "     Y[w, 16*o.0 + o] = acc[w, o.0, o]\n";

TEST(Assembly, TapsInThePaddingAreNotEmittedInABorderTile) {
  EXPECT_EQ(lines_with(assembly(kBorderTile), "vfmadd", "zmm"), (3 * 4 - 1) * 2);
  EXPECT_EQ(spills(kBorderTile), 0);
  EXPECT_TRUE(same_as_interpreter(kBorderTile));
}

// The rows of a 3-tap window that lie inside, without a test per row.
std::string clipped_rows(const std::string& loop) {
  return "buffer X: f32 activation X[h=6, o=16] as [h@1:6] [o@1:16]\n"
         "buffer W: f32 constant W[k=3, o=16] as [k@1:3] [o@1:16]\n"
         "buffer Y: f32 output Y[h=8, o=16] as [h@1:8] [o@1:16]\n"
         "kernel conv\n"
         " for h in 0..8 parallel\n"
         "  registers acc[16]\n"
         "  for o in 0..16 vectorized\n"
         "   acc[o] = 0\n"
         "  for k in 0..3 " +
         loop +
         "   for o in 0..16 vectorized\n"
         "    acc[o] += X[h + k - 1, o] * W[k, o]\n"
         "  for o in 0..16 vectorized\n"
         "   Y[h, o] = acc[o]\n";
}

TEST(Assembly, AClippedLoopCountsOnlyWhatItRuns) {
  const std::string text = assembly(clipped_rows("where 0 <= h + k - 1 < 6\n"));
  EXPECT_EQ(lines_with(text, "vfmadd", "zmm"), 1);
  EXPECT_EQ(lines_with(text, "{%k", ""), 0);  // no masks
}

TEST(Assembly, AClippedLoopIsExactAndMayBeEmpty) {
  // At h = 7 no row is left.
  EXPECT_TRUE(same_as_interpreter(clipped_rows("where 0 <= h + k - 1 < 6\n"), 3));
  EXPECT_TRUE(same_as_interpreter(clipped_rows("where 0 <= h + k - 1 < 6 and 1 <= 2*k < 5\n")));
  EXPECT_TRUE(
      same_as_interpreter(clipped_rows("where 0 <= h + k - 1 < 6 and -5 <= h - 3*k - 1 < 2\n")));
  EXPECT_TRUE(same_as_interpreter(
      clipped_rows("where 0 <= h + k - 1 < 6 and 0 <= k + (h div 3) - 1 < 2\n")));
}

constexpr const char* kHinted =
    "buffer X: f32 activation X[h=64, o=16] as [h@1:64] [o@1:16]\n"
    "buffer Y: f32 output Y[h=64, o=16] as [h@1:64] [o@1:16]\n"
    "kernel copy\n"
    " for h in 0..64 prefetch X[h + 4, 0] lines 2\n"
    "  for o in 0..16 vectorized\n"
    "   Y[h, o] = X[h, o] + 1 streaming\n";

TEST(Assembly, StreamingStoresPassTheCachesAndAreFencedOnce) {
  const std::string text = assembly(kHinted);
  EXPECT_EQ(lines_with(text, "vmovntps", "zmm"), 1);
  EXPECT_EQ(lines_with(text, "sfence", ""), 1);
  EXPECT_EQ(lines_with(assembly(kConvolution), "sfence", ""), 0);
  EXPECT_TRUE(same_as_interpreter(kHinted));
}

TEST(Assembly, PrefetchesAskForEachLine) {
  EXPECT_EQ(lines_with(assembly(kHinted), "prefetcht0", ""), 2);
}

TEST(Assembly, WindowTapsOfASingleVectorShareTheirRows) {
  // 7 rows and 3 taps read 9 row values, not 21, at each of 2 unrolled channels.
  const std::string text = assembly(convolution({7, 1, 2, true}));
  EXPECT_EQ(lines_with(text, "vbroadcastss", "zmm") + lines_with(text, "{1to16}", ""), 2 * 9);
}

TEST(Assembly, FunctionsAreInlined) {
  const std::string text = assembly(
      "buffer x: f32 activation x[i=16] as [i@1:16]\n"
      "buffer y: f32 output y[i=16] as [i@1:16]\n"
      "kernel k\n"
      " for i in 0..16 vectorized\n"
      "  y[i] = exp(x[i]) + tanh(x[i]) + erf(x[i])\n"
      " for i in 0..16\n"
      "  y[i] += tanh(x[i])\n");
  EXPECT_EQ(lines_with(text, "call", ""), 0);
  EXPECT_EQ(lines_with(text, "jmp", "@PLT"), 0);
}

TEST(Assembly, TheSameTilesAreExact) {
  EXPECT_TRUE(same_as_interpreter(convolution({7, 2, 16})));
  EXPECT_TRUE(same_as_interpreter(convolution({28, 1, 1, true})));
  EXPECT_TRUE(same_as_interpreter(convolution({7, 2, 4, false, true})));
  EXPECT_TRUE(same_as_interpreter(convolution({5, 3, 2, true, true}), 3));
}

}  // namespace
}  // namespace dovetail::testing
