// SPDX-License-Identifier: Apache-2.0
//
// Transposed convolutions come out as dense convolutions, one for each phase of the stride: no
// division in a loop, no guard, no multiplication by inserted zeros.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/parsed_points.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::operator_of;
using testing::parse_point;

// The last kernel, that is without padding passes.
Program operator_alone(const Program& program) {
  Program result = program;
  result.kernels = {program.kernels.back()};
  return result;
}

std::string nest_of(std::string_view spec) {
  const Operator op = operator_of(spec);
  const Space space = *build_space(op, cpu());
  return print(*lowered(op, space.default_trace(), cpu()));
}

TEST(TransposedConvolution, IsADenseOneForEachPhase) {
  EXPECT_GOLDEN(nest_of("t2d:ci=512,co=256,h=4,w=4,k=4,s=2,p=1"),
                "primitives/space/transposed_planes");
  EXPECT_GOLDEN(nest_of("t3d:ci=64,co=64,depth=4,h=4,w=4,k=4,s=2,p=1"),
                "primitives/space/transposed_volumes");
}

TEST(TransposedConvolution, SharesTheInputBetweenPhasesWhereTheColumnsAreFew) {
  EXPECT_GOLDEN(nest_of("t3d:ci=64,co=1,depth=32,h=32,w=32,k=4,s=2,p=1"),
                "primitives/space/transposed_to_one_channel");
}

// Points whose inputs are padded: each tap that there is is multiplied once, and nothing else.
TEST(TransposedConvolution, MultipliesTheTapsThatThereAre) {
  std::mt19937_64 rng(3);
  const Operator op = operator_of("t2d:ci=8,co=32,h=8,w=8,k=4,s=2,p=1");
  const Space space = *build_space(op, cpu());
  int guarded = 0;
  for (int k = 0; k < 60; ++k) {
    const Point point = space.sample(rng);
    const std::string text = print(space, point);
    const Program program = *lowered(op, space.decode(point), cpu());
    const bool others = text.find("=guard") != std::string::npos ||
                        text.find("reduction_outside=1") != std::string::npos ||
                        text.find("pad_at.X=root") == std::string::npos;  // pads inside
    if (others && ++guarded > 0) continue;
    EXPECT_EQ(print(operator_alone(program)).find('?'), std::string::npos)
        << print(program) << text;
  }
  EXPECT_LT(guarded, 55);
  const Program program = *lowered(op, space.default_trace(), cpu());
  EXPECT_EQ(executed_fmas(program), 32.0 * 8 * (2 * 15) * (2 * 15)) << "none in the padding";
}

// Phases and windows written out: the fourth tap that a stride of two would have is left out.
TEST(TransposedConvolution, LeavesOutTapsThatThereAreNotWhenWrittenOut) {
  const Operator op = operator_of("t2d:ci=16,co=1,h=4,w=64,k=3,s=2,p=1,op=1");
  const Space space = *build_space(op, cpu());
  const Point point = *parse_point(
      space,
      "phase.w=registers phase.h=registers register_tile.w=16 register_tile.h=2 layout_levels.Y=1 "
      "layout_levels.X=1 layout_levels.W=1 unroll_part.i=1 "
      "unroll.kw=1 unroll.kh=1 cache_tile.h=1 cache_tile.w=1 pad_at.X=root "
      "layout_tile.Y.h=0 storage.X.h=pad layout_tile.Y.w=16 storage.X.w=pad inner_part.i=16 "
      "layout_tile.X.i=16 layout_tile.W.i=16 channel_tiles.X=before "
      "channel_tiles.W=before channel_tiles.Y=before storage.W.kh=guard storage.W.kw=guard "
      "phase_storage=natural "
      "reduction_order=outer_window_inner phase_order=outermost outer_order=0 cache_order=0 "
      "reduction_outside=0 cache_read.X=none");
  const Program program = *lowered(op, space.decode(point), cpu());
  EXPECT_TRUE(computes(op, program));
  EXPECT_EQ(executed_fmas(program), 16.0 * 4 * 64 * (3 * 3));
}

}  // namespace
}  // namespace dovetail
