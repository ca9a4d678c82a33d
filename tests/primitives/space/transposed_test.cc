// SPDX-License-Identifier: Apache-2.0
//
// Transposed convolutions come out as dense convolutions, one for each phase of the stride: no
// division in a loop, no guard, no multiplication by nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::operator_of;

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
  EXPECT_GOLDEN(nest_of("t2d:ci=512,co=256,h=4,w=4,k=4,s=2,p=1"), "primitives/transposed_planes");
  EXPECT_GOLDEN(nest_of("t3d:ci=64,co=64,depth=4,h=4,w=4,k=4,s=2,p=1"),
                "primitives/transposed_volumes");
}

TEST(TransposedConvolution, SharesTheInputBetweenPhasesWhereTheColumnsAreFew) {
  EXPECT_GOLDEN(nest_of("t3d:ci=64,co=1,depth=32,h=32,w=32,k=4,s=2,p=1"),
                "primitives/transposed_to_one_channel");
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
                        text.find("kout=1") != std::string::npos ||
                        text.find("at.X.pad=root") == std::string::npos;  // pads inside
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
      "phase.w=registers phase.h=registers R.w=16 R.h=2 levels.Y=1 levels.X=1 levels.W=1 U.i=1 "
      "unroll.kw=1 unroll.kh=1 M.h=1 M.w=1 at.X.pad=root "
      "Y.h=0 X.h=pad Y.w=16 X.w=pad K.i=16 X.i=16 W.i=16 place.X=before "
      "place.W=before place.Y=before W.kh=guard W.kw=guard Y.phase=natural "
      "order.reduction=outer_window_inner order.phase=outermost order.outer=0 order.cache=0 "
      "kout=0 stage.X=none");
  const Program program = *lowered(op, space.decode(point), cpu());
  EXPECT_TRUE(computes(op, program));
  EXPECT_EQ(executed_fmas(program), 16.0 * 4 * 64 * (3 * 3));
}

}  // namespace
}  // namespace dovetail
