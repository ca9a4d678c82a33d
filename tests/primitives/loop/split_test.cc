// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/nesting.h"

#include <gtest/gtest.h>

#include "primitives/divisors.h"
#include "primitives/loop/apply_loop.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::applied_loops;
using testing::kProduct;
using testing::print_loops;
using testing::print_stage;
using testing::print_values;
using testing::stage_of;

TEST(LoopSplit, RunsOneLoopAsTwo) {
  const Stage before = stage_of(kProduct);
  EXPECT_EQ(print_loops(before), "b:2 m:6 n:12 k:8 sum");
  EXPECT_EQ(print_values(before), "b = b, k = k, m = m, n = n");
  const Stage after = *applied_loops("split(loop=n, factor=4)", before);
  EXPECT_EQ(print_loops(after), "b:2 m:6 n.0:3 n.1:4 k:8 sum");
  EXPECT_EQ(print_values(after), "b = b, k = k, m = m, n = 4*n.0 + n.1");
}

TEST(LoopSplit, BothPartsOfAReductionAreReductions) {
  EXPECT_EQ(print_loops(*applied_loops("split(loop=k, factor=2)", stage_of(kProduct))),
            "b:2 m:6 n:12 k.0:4 sum k.1:2 sum");
}

TEST(LoopSplit, SplitsAPartAgain) {
  const Stage stage = *applied_loops(
      "split(loop=n, factor=6) ; split(loop=n.1, factor=2) ; split(loop=n.0, factor=2)",
      stage_of(kProduct));
  EXPECT_EQ(print_loops(stage), "b:2 m:6 n.0.0:1 n.0.1:2 n.1.0:3 n.1.1:2 k:8 sum");
  EXPECT_EQ(print_values(stage), "b = b, k = k, m = m, n = 12*n.0.0 + 6*n.0.1 + 2*n.1.0 + n.1.1");
}

TEST(LoopSplit, RewritesTheElementStored) {
  const Stage stage = *applied_loops("split(loop=n.0, factor=3)",
                                     stage_of(kProduct, "layout Y: split(axis=n, factor=2)\n"));
  EXPECT_EQ(print_loops(stage), "b:2 m:6 n.0.0:2 n.0.1:3 n.1:2 k:8 sum");
  ASSERT_EQ(stage.output_indices.size(), 4u);
  EXPECT_EQ(print(stage.output_indices[2]), "3*n.0.0 + n.0.1");
}

TEST(LoopSplitLaw, FuseUndoesIt) {
  const Stage stage =
      stage_of("c2d:ci=4,co=8,h=6,w=12,k=3,p=1", "layout Y: split(axis=o, factor=4)");
  int cases = 0;
  for (const StageLoop& loop : stage.loops) {
    for (int64_t factor : divisors(loop.extent)) {
      if (factor == 1) continue;
      const Stage split = *dovetail::apply(LoopPrimitive(loop::Split{loop.name, factor}), stage);
      EXPECT_EQ(split.loops.size(), stage.loops.size() + 1);
      const loop::Fuse fuse{loop.name + ".0", loop.name + ".1"};
      EXPECT_EQ(print_stage(*dovetail::apply(LoopPrimitive(fuse), split)), print_stage(stage));
      ++cases;
    }
  }
  EXPECT_EQ(cases, 15);
}

// Where the cut lies inside a fused digit the divisions may be written differently, and mean the
// same.
TEST(LoopSplitLaw, FuseUndoesItOnAFusedLoop) {
  const Stage stage = stage_of("c2d:ci=4,co=8,h=6,w=12,k=3,p=1", "layout Y: fuse(h, w)");
  for (int64_t factor : divisors(72)) {
    if (factor == 1) continue;
    const Stage back = *applied_loops(
        "split(loop=h_w, factor=" + std::to_string(factor) + ") ; fuse(h_w.0, h_w.1)", stage);
    EXPECT_EQ(print_loops(back), print_loops(stage));
    for (int64_t flat = 0; flat < 72; ++flat) {
      for (const char* axis : {"h", "w"}) {
        EXPECT_EQ(evaluate(back.axis_values.at(axis), {{"h_w", flat}}),
                  evaluate(stage.axis_values.at(axis), {{"h_w", flat}}))
            << axis << " of " << flat << " split by " << factor;
      }
    }
  }
}

TEST(LoopSplit, FailsWithoutTheLoop) {
  EXPECT_ERROR(applied_loops("split(loop=w, factor=2)", stage_of(kProduct)),
               "loops: split(loop=w, factor=2): no loop w, expected one of b, m, n, k");
}

TEST(LoopSplit, FailsWhenTheFactorDoesNotDivide) {
  EXPECT_ERROR(applied_loops("split(loop=n, factor=5)", stage_of(kProduct)),
               "factor 5 does not divide extent 12 of loop n; pad first or use 2, 3, 4, 6, 12");
}

TEST(LoopSplit, FailsWhenTheFactorIsNotAboveOne) {
  for (int64_t factor : {1, 0, -4}) {
    EXPECT_ERROR(dovetail::apply(LoopPrimitive(loop::Split{"n", factor}), stage_of(kProduct)),
                 "factor " + std::to_string(factor) + " of loop n, expected at least 2");
  }
}

TEST(LoopSplit, FailsOnceTheLoopIsAnnotated) {
  EXPECT_ERROR(applied_loops("unroll(n) ; split(loop=n, factor=2)", stage_of(kProduct)),
               "split(loop=n, factor=2): loop n is already annotated");
}

}  // namespace
}  // namespace dovetail
