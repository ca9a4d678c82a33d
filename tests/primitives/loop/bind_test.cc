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

TEST(LoopBind, GivesTheIterationsToGroupsAndWorkItems) {
  const Stage before = stage_of(kProduct);
  const Stage after =
      *applied_loops("bind(b, group.1) ; bind(m, group.0) ; bind(n, thread.0)", before);
  EXPECT_EQ(print_loops(after), "b:2 bind group.1 m:6 bind group.0 n:12 bind thread.0 k:8 sum");
  EXPECT_EQ(print_values(after), print_values(before));
}

TEST(LoopBind, FailsWithoutTheLoop) {
  EXPECT_ERROR(applied_loops("bind(w, group.0)", stage_of(kProduct)),
               "loops: bind(w, group.0): no loop w, expected one of b, m, n, k");
}

TEST(LoopBind, FailsOnAReduction) {
  EXPECT_ERROR(applied_loops("bind(k, thread.0)", stage_of(kProduct)),
               "loop k is a reduction, expected an output loop to bind");
}

TEST(LoopBind, FailsOnceTheLoopIsAnnotated) {
  EXPECT_ERROR(applied_loops("bind(m, group.0) ; bind(m, group.1)", stage_of(kProduct)),
               "bind(m, group.1): loop m is already annotated");
}

TEST(LoopBind, FailsWhenTheAxisIsTaken) {
  EXPECT_ERROR(applied_loops("bind(b, group.0) ; bind(m, group.0)", stage_of(kProduct)),
               "bind(m, group.0): loop b is already bound to this axis");
}

}  // namespace
}  // namespace dovetail
