// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/nesting.h"

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

TEST(LoopFuse, RunsTwoLoopsAsOne) {
  const Stage stage = *applied_loops("fuse(m, n)", stage_of(kProduct));
  EXPECT_EQ(print_loops(stage), "b:2 m_n:72 k:8 sum");
  EXPECT_EQ(print_values(stage), "b = b, k = k, m = (m_n div 12), n = (m_n mod 12)");
}

TEST(LoopFuse, TakesAFusedLoopFurther) {
  const Stage stage = *applied_loops("fuse(m, n) ; fuse(b, m_n)", stage_of(kProduct));
  EXPECT_EQ(print_loops(stage), "b_m_n:144 k:8 sum");
  EXPECT_EQ(print_values(stage),
            "b = (b_m_n div 72), k = k, m = ((b_m_n div 12) mod 6), n = (b_m_n mod 12)");
}

TEST(LoopFuse, OfReductionsIsAReduction) {
  const Stage stage = *applied_loops("fuse(kh, kw)", stage_of("c2d:ci=2,co=2,h=5,w=5,k=3"));
  EXPECT_EQ(print_loops(stage), "n:1 o:2 h:3 w:3 i:2 sum kh_kw:9 sum");
}

TEST(LoopFuse, OfBothPartsOfASplitIsTheLoopAgain) {
  const Stage before = stage_of(kProduct);
  EXPECT_EQ(*applied_loops("split(loop=n, factor=4) ; fuse(n.0, n.1)", before), before);
}

// Iteration m_n = 12·m + n is iteration (m, n), and so for every cut of it.
TEST(LoopFuseLaw, EveryIterationHasTheSameAxisValues) {
  for (const char* text :
       {"fuse(m, n)", "fuse(m, n) ; split(loop=m_n, factor=12)",
        "fuse(m, n) ; split(loop=m_n, factor=4)", "fuse(m, n) ; split(loop=m_n, factor=24)",
        "fuse(m, n) ; split(loop=m_n, factor=8)"}) {
    const Stage stage = *applied_loops(text, stage_of(kProduct));
    for (int64_t flat = 0; flat < 72; ++flat) {
      Bindings values{{"b", 0}, {"k", 0}};
      int64_t rest = flat;
      for (auto loop = stage.loops.rbegin(); loop != stage.loops.rend(); ++loop) {
        if (values.contains(loop->name)) continue;
        values[loop->name] = rest % loop->extent;
        rest /= loop->extent;
      }
      ASSERT_EQ(evaluate(stage.axis_values.at("m"), values), flat / 12) << text << " " << flat;
      ASSERT_EQ(evaluate(stage.axis_values.at("n"), values), flat % 12) << text << " " << flat;
    }
  }
}

TEST(LoopFuse, ThenSplitAtTheInnerExtentLeavesNoDivision) {
  EXPECT_EQ(
      print_values(*applied_loops("fuse(m, n) ; split(loop=m_n, factor=12)", stage_of(kProduct))),
      "b = b, k = k, m = m_n.0, n = m_n.1");
}

TEST(LoopFuse, FailsWithoutTheLoop) {
  EXPECT_ERROR(applied_loops("fuse(m, w)", stage_of(kProduct)),
               "loops: fuse(m, w): no loop w, expected one of b, m, n, k");
}

TEST(LoopFuse, FailsWhenTheInnerLoopDoesNotFollow) {
  EXPECT_ERROR(applied_loops("fuse(b, n)", stage_of(kProduct)),
               "loop n is not directly inside loop b; reorder first");
  EXPECT_ERROR(applied_loops("fuse(n, m)", stage_of(kProduct)),
               "loop m is not directly inside loop n; reorder first");
}

TEST(LoopFuse, FailsOnAnOutputLoopAndAReduction) {
  EXPECT_ERROR(applied_loops("fuse(n, k)", stage_of(kProduct)),
               "fuse(n, k): one of the loops is a reduction, the other is not");
}

TEST(LoopFuse, FailsOnceALoopIsAnnotated) {
  EXPECT_ERROR(applied_loops("unroll(n) ; fuse(m, n)", stage_of(kProduct)),
               "fuse(m, n): loop n is already annotated");
  EXPECT_ERROR(applied_loops("parallel(m) ; fuse(m, n)", stage_of(kProduct)),
               "fuse(m, n): loop m is already annotated");
}

}  // namespace
}  // namespace dovetail
