// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/annotations.h"

#include <gtest/gtest.h>

#include "primitives/loop/apply_loop.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

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

constexpr const char* kRowSums = "Y[i]=sum(X[i,j]):i=3,j=40";

TEST(LoopVectorize, OverAReductionEachLaneHasASumOfItsOwn) {
  const Program program = testing::right(testing::lowered(
      testing::written_region(kRowSums),
      testing::right(parse_trace("loops Y: split(loop=j, factor=16, tail=cut) ; vectorize(j.1) ; "
                                 "cache_write(tensor=Y, at=i)\n")),
      testing::cpu()));
  EXPECT_TRUE(testing::matches_golden(print(program), "primitives/lane_sums"));
  EXPECT_TRUE(testing::computes(testing::written_region(kRowSums), program));
}

TEST(LoopVectorize, FailsOverAReductionThatWaitsInMemory) {
  const auto lowered = [](const std::string& loops, const Target& target) {
    return testing::lowered(testing::written_region(kRowSums),
                            testing::right(parse_trace("loops Y: " + loops + "\n")), target);
  };
  EXPECT_ERROR(lowered("split(loop=j, factor=8) ; vectorize(j.1)", testing::cpu()),
               "stage Y: vectorized loop j.1 is a reduction, expected a cache_write around loop "
               "j.0 and all other reductions");
  EXPECT_ERROR(lowered("split(loop=j, factor=8) ; vectorize(j.1) ; cache_write(tensor=Y, at=i)",
                       testing::opencl_with_images()),
               "vectorized loop j.1 is a reduction, expected a cpu target");
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
