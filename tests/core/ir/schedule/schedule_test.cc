// SPDX-License-Identifier: Apache-2.0
#include "core/ir/schedule/schedule.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

std::string golden() { return testing::source_file("tests/golden/core/ir/c2d_schedule.txt"); }

TEST(Schedule, PrintsWhatItParses) {
  const auto schedule = parse_schedule(golden());
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_GOLDEN(print(*schedule), "core/ir/c2d_schedule");
}

TEST(Schedule, ParsesIntoTensorsAndStages) {
  const auto schedule = parse_schedule(golden());
  ASSERT_TRUE(schedule) << schedule.error().message;
  ASSERT_EQ(schedule->tensors.size(), 4u);
  EXPECT_EQ(schedule->tensors[1].role, BufferRole::temporary);
  EXPECT_EQ(schedule->tensors[1].tensor, "X");
  EXPECT_EQ(schedule->tensors[2].layout.scope, MemoryScope::texture_weight);
  ASSERT_EQ(schedule->stages.size(), 2u);
  const Stage& c2d = schedule->stages[1];
  EXPECT_EQ(c2d.axis_values.at("w"), IndexExpr::variable("w.0") * 7 + IndexExpr::variable("w.1"));
  EXPECT_EQ(c2d.loops[0], (StageLoop{"o.0.0", 2, LoopKind::bound, ThreadAxis::group_0, false}));
  EXPECT_EQ(c2d.loops[5], (StageLoop{"kw", 3, LoopKind::unrolled, ThreadAxis::group_0, true}));
  EXPECT_EQ(c2d.cache_write_at, "w.0");
  EXPECT_EQ(c2d.computation.epilogues[1], (Epilogue{EpilogueKind::clip, 0, 4.5}));
  EXPECT_EQ(schedule->stages[0].cache_write_at, std::nullopt);
}

TEST(Schedule, LoopRangesAreThoseOfTheExtents) {
  const auto schedule = parse_schedule(golden());
  ASSERT_TRUE(schedule);
  EXPECT_EQ(loop_ranges(schedule->stages[1]).at("o.1"), (Range{0, 15}));
}

TEST(Schedule, SaysWhereATextIsWrong) {
  const auto fails = [](const std::string& text, std::string_view message) {
    EXPECT_ERROR(parse_schedule(text), message);
  };
  fails("", "line 1, column 1: found the end, expected \"schedule\"");
  fails("schedule f64", "found \"f64\", expected f32 or f16");
  fails("schedule f32\nloop h",
        "line 2, column 1: found \"loop\", expected \"tensor\" or \"stage\"");
  fails("schedule f32\ntensor X: input X[] as", "expected activation, constant, output, temp");
  fails("schedule f32\ntensor X: output X[h=2] as [w@1:2]", "expected a dimension of the tensor");
  fails("schedule f32\nstage s\n  axis h in 1..4", "line 3, column 13: found \"1\", expected 0");
  fails("schedule f32\nstage s\n  input X[h]\n", "found the end, expected \"output\"");
  fails("schedule f32\nstage s\n  output X[]\n  epilogue sqrt\n", "unknown epilogue \"sqrt\"");
  fails("schedule f32\nstage s\n  output X[]\n  epilogue clip(0)\n", "found \")\", expected \",\"");
  fails("schedule f32\nstage s\n  output X[]\n  loop h in 0..4 fast", "expected serial, parallel");
  fails("schedule f32\nstage s\n  output X[]\n  loop h in 0..4 bind x",
        "thread axis \"x\" is unknown");
  fails("schedule f32\nstage s\n  output X[]\n", "found the end, expected \"stores\"");
  fails("schedule f32\nstage s\n  output X[]\n  stores []\n  registers in h", "expected \"at\"");
}

}  // namespace
}  // namespace dovetail
