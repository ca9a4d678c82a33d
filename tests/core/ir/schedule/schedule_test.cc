// SPDX-License-Identifier: Apache-2.0
#include "core/ir/schedule/schedule.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/schedule_text.h"

namespace dovetail {
namespace {

std::string golden() { return testing::source_file("tests/golden/core/ir/c2d_schedule.txt"); }

TEST(Schedule, PrintsWhatItParses) {
  const auto schedule = testing::parse_schedule(golden());
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_GOLDEN(print(*schedule), "core/ir/c2d_schedule");
}

TEST(Schedule, ParsesIntoTensorsAndStages) {
  const auto schedule = testing::parse_schedule(golden());
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
  EXPECT_EQ(print(c2d.computation.result), "min(max(@ + read(2), 0), 4.5)");
  EXPECT_EQ(schedule->stages[0].role, StageRole::copy);
  EXPECT_EQ(schedule->stages[0].cache_write_at, std::nullopt);
}

TEST(Schedule, LoopRangesAreThoseOfTheExtents) {
  const auto schedule = testing::parse_schedule(golden());
  ASSERT_TRUE(schedule);
  EXPECT_EQ(loop_ranges(schedule->stages[1]).at("o.1"), (Range{0, 15}));
}

TEST(Schedule, SaysWhereATextIsWrong) {
  const auto fails = [](const std::string& text, std::string_view message) {
    EXPECT_ERROR(testing::parse_schedule(text), message);
  };
  fails("", "line 1, column 1: found the end, expected \"schedule\"");
  fails("schedule f32", "found \"f32\", expected the end of the line");
  fails("schedule\nloop h", "line 2, column 1: found \"loop\", expected \"tensor\" or \"stage\"");
  fails("schedule\ntensor X: f32 input X[] as", "expected activation, constant, output, temp");
  fails("schedule\ntensor X: f32 output X[h=2] as [w@1:2]", "expected a dimension of the tensor");
  fails("schedule\nstage s\n  axis h in 1..4", "line 3, column 13: found \"1\", expected 0");
  fails("schedule\ntensor X: u64 output", "expected f32, f16, i64, i32,");
  fails("schedule\nstage s\n  read X[h]\n", "found the end, expected \"element\"");
  fails("schedule\nstage s\n  element read(0)\n", "found the end, expected \"output\"");
  fails("schedule\nstage s\n  element 1\n  reduce avg\n", "expected sum, max, min or prod");
  fails("schedule\nstage s\n  element 1\n  output X[]\n  loop h in 0..4 fast",
        "expected serial, parallel");
  fails("schedule\nstage s\n  element 1\n  output X[]\n  loop h in 0..4 bind x",
        "thread axis \"x\" is unknown");
  fails("schedule\nstage s\n  element 1\n  output X[]\n", "found the end, expected \"stores\"");
  fails("schedule\nstage s\n  element 1\n  output X[]\n  stores []\n  registers in h",
        "expected \"at\"");
}

}  // namespace
}  // namespace dovetail
