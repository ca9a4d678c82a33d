// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/transpose_tile_lanes.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

std::string program_text(const std::string& nest) {
  return "buffer A: f32 activation A[p=16, c=8] as [p@1:16] [c@1:8]\n"
         "buffer B: f32 activation B[c=8, p=16] as [c@1:8] [p@1:16]\n"
         "buffer Y: f32 output Y[p=16, c=8] as [p@1:16] [c@1:8]\n"
         "kernel Y\n" +
         nest;
}

std::string turned(const std::string& nest) {
  return print(right(transpose_tile_lanes(right(parse_program(program_text(nest))))));
}

TEST(TransposeTileLanes, LanesRunAlongWhatIsReadAndWrittenSideBySide) {
  EXPECT_EQ(turned("  for c in 0..8 unrolled\n"
                   "    for p in 0..16 vectorized\n"
                   "      Y[p, c] = A[p, c]\n"),
            program_text("  for p in 0..16 unrolled\n"
                         "    for c in 0..8 vectorized\n"
                         "      Y[p, c] = A[p, c]\n"));
}

TEST(TransposeTileLanes, TilesThatAreTransposedStay) {
  const std::string nest =
      "  for c in 0..8 unrolled\n"
      "    for p in 0..16 vectorized\n"
      "      Y[p, c] = B[c, p]\n";
  EXPECT_EQ(turned(nest), program_text(nest));
}

TEST(TransposeTileLanes, RefusesWhatABoundStillParts) {
  const Program program =
      right(parse_program(program_text("  for c in 0..8 unrolled\n"
                                       "    for p in 0..16 vectorized\n"
                                       "      Y[p, c] = (0 <= p < 5) ? A[p, c] : B[c, p]\n")));
  EXPECT_ERROR(transpose_tile_lanes(program),
               "vectorized loop p: lanes of A are 8 elements apart, expected 0, 1 or 2, or a tile "
               "that no bound parts, unrolled along the axis that is innermost in its layout");
}

}  // namespace
}  // namespace dovetail
