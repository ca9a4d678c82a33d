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

constexpr const char* kLongProduct = "gmm:m=6,n=2000,k=1024";

TEST(LoopUnroll, WritesOutOutputLoopsAndReductions) {
  const Stage before = stage_of(kLongProduct);
  const Stage after = *applied_loops("unroll(m) ; unroll(k)", before);
  EXPECT_EQ(print_loops(after), "b:1 m:6 unrolled n:2000 k:1024 sum unrolled");
  EXPECT_EQ(print_values(after), print_values(before));
}

TEST(LoopUnroll, FailsWithoutTheLoop) {
  EXPECT_ERROR(applied_loops("unroll(w)", stage_of(kLongProduct)),
               "loops: unroll(w): no loop w, expected one of b, m, n, k");
}

TEST(LoopUnroll, FailsOnceTheLoopIsAnnotated) {
  EXPECT_ERROR(applied_loops("unroll(m) ; unroll(m)", stage_of(kLongProduct)),
               "unroll(m): loop m is already annotated");
}

TEST(LoopUnroll, FailsBeyondTheLimit) {
  EXPECT_ERROR(applied_loops("unroll(n)", stage_of(kLongProduct)),
               "unroll(n): loop n has extent 2000, expected at most 1024; split first");
}

}  // namespace
}  // namespace dovetail
