// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/annotations.h"

#include <gtest/gtest.h>

#include "primitives/loop/apply_loop.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::applied_loops;
using testing::print_loops;
using testing::print_values;
using testing::stage_of;

constexpr const char* kWideProduct = "gmm:b=2,m=6,n=128,k=8";

TEST(LoopVectorize, RunsTheIterationsAsLanes) {
  const Stage before = *applied_loops("split(loop=n, factor=64)", stage_of(kWideProduct));
  const Stage after = *applied_loops("vectorize(n.1)", before);
  EXPECT_EQ(print_loops(after), "b:2 m:6 n.0:2 n.1:64 vectorized k:8 sum");
  EXPECT_EQ(print_values(after), print_values(before));
}

TEST(LoopVectorize, FailsWithoutTheLoop) {
  EXPECT_ERROR(applied_loops("vectorize(w)", stage_of(kWideProduct)),
               "loops: vectorize(w): no loop w, expected one of b, m, n, k");
}

TEST(LoopVectorize, FailsOnAReduction) {
  EXPECT_ERROR(applied_loops("vectorize(k)", stage_of(kWideProduct)),
               "vectorize(k): loop k is a reduction, expected an output loop to vectorize");
}

TEST(LoopVectorize, FailsOnceTheLoopIsAnnotated) {
  EXPECT_ERROR(applied_loops("unroll(m) ; vectorize(m)", stage_of(kWideProduct)),
               "vectorize(m): loop m is already annotated");
}

TEST(LoopVectorize, FailsBeyondSixtyFourLanes) {
  EXPECT_ERROR(applied_loops("vectorize(n)", stage_of(kWideProduct)),
               "vectorize(n): loop n has extent 128, expected at most 64; split first");
}

TEST(LoopVectorize, FailsASecondTime) {
  EXPECT_ERROR(applied_loops("vectorize(m) ; vectorize(b)", stage_of(kWideProduct)),
               "vectorize(b): loop m is already vectorized");
}

}  // namespace
}  // namespace dovetail
