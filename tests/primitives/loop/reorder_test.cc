// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/nesting.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(LoopReorder, RunsTheLoopsInTheOrderNamed) {
  EXPECT_EQ(print_loops(*applied_loops("reorder(k, n, b, m)", stage_of(kProduct))),
            "k:8 sum n:12 b:2 m:6");
}

TEST(LoopReorder, LeavesLoopsThatAreNotNamedWhereTheyAre) {
  EXPECT_EQ(print_loops(*applied_loops("reorder(k, m)", stage_of(kProduct))),
            "b:2 k:8 sum n:12 m:6");
}

TEST(LoopReorder, KeepsAnnotations) {
  EXPECT_EQ(
      print_loops(*applied_loops("unroll(n) ; parallel(b) ; reorder(n, b)", stage_of(kProduct))),
      "n:12 unrolled m:6 b:2 parallel k:8 sum");
}

TEST(LoopReorderLaw, ChangesNoValueAndReorderingBackUndoesIt) {
  const Stage stage = *applied_loops("split(loop=n, factor=3)", stage_of(kProduct));
  std::vector<std::string> names;
  for (const StageLoop& loop : stage.loops) names.push_back(loop.name);
  std::vector<std::string> order = names;
  std::ranges::sort(order);
  do {
    const Stage reordered = *dovetail::apply(LoopPrimitive(loop::Reorder{order}), stage);
    EXPECT_EQ(print_values(reordered), print_values(stage));
    EXPECT_EQ(*dovetail::apply(LoopPrimitive(loop::Reorder{names}), reordered), stage);
  } while (std::ranges::next_permutation(order).found);
}

TEST(LoopReorder, FailsWithoutTheLoop) {
  EXPECT_ERROR(applied_loops("reorder(m, w)", stage_of(kProduct)),
               "loops: reorder(m, w): no loop w, expected one of b, m, n, k");
}

TEST(LoopReorder, FailsWhenALoopIsNamedTwice) {
  EXPECT_ERROR(applied_loops("reorder(m, n, m)", stage_of(kProduct)),
               "reorder(m, n, m): loop m is named twice");
}

}  // namespace
}  // namespace dovetail
