// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/annotations.h"

#include <gtest/gtest.h>

#include "primitives/loop/apply_loop.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::applied_loops;
using testing::kProduct;
using testing::print_loops;
using testing::print_values;
using testing::stage_of;

TEST(LoopParallel, SharesTheIterationsAmongThreads) {
  const Stage before = stage_of(kProduct);
  const Stage after = *applied_loops("parallel(b)", before);
  EXPECT_EQ(print_loops(after), "b:2 parallel m:6 n:12 k:8 sum");
  EXPECT_EQ(print_values(after), print_values(before));
}

TEST(LoopParallel, FailsWithoutTheLoop) {
  EXPECT_ERROR(applied_loops("parallel(w)", stage_of(kProduct)),
               "loops: parallel(w): no loop w, expected one of b, m, n, k");
}

TEST(LoopParallel, FailsOnAReduction) {
  EXPECT_ERROR(applied_loops("parallel(k)", stage_of(kProduct)),
               "parallel(k): loop k is a reduction, expected an output loop to run in parallel");
}

TEST(LoopParallel, FailsOnceTheLoopIsAnnotated) {
  EXPECT_ERROR(applied_loops("vectorize(n) ; parallel(n)", stage_of(kProduct)),
               "parallel(n): loop n is already annotated");
}

}  // namespace
}  // namespace dovetail
