// SPDX-License-Identifier: Apache-2.0
#include "tools/progress_bar.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

Progress half_way() {
  Progress progress;
  progress.task = "conv1";
  progress.trials = 150;
  progress.max_trials = 300;
  progress.valid = 147;
  progress.failed = {{Status::timeout, 2}, {Status::wrong_output, 1}};
  progress.best_seconds = 0.00085;
  progress.elapsed_seconds = 12;
  progress.remaining_seconds = 12;
  return progress;
}

TEST(DrawProgress, SaysWhatIsDoneWhatFailedTheBestAndWhenItEnds) {
  const TaskTurn turn{.number = 2, .count = 3, .nominal_flops = 2.312e8, .peak_gflops = 290};
  EXPECT_EQ(draw_progress(half_way(), turn, 0),
            "[2/3] conv1  ##########---------- 150/300  147 valid, 3 failed (timeout 2, "
            "wrong_output 1)  best 850.0 us  272.0 GFLOP/s  93.8 % of peak  ETA 12 s, all 36 s");
}

TEST(DrawProgress, OfASharedBudgetCountsAllOfIt) {
  TaskTurn turn{.number = 2, .count = 3, .nominal_flops = 2.312e8, .peak_gflops = 290};
  turn.shared = SharedBudget{.trials = 450, .max_trials = 600};
  EXPECT_EQ(draw_progress(half_way(), turn, 79),
            "[2/3] conv1 #######--- all 450/600 3 failed best 850.0 us ETA all 12 s");
  turn.shared = SharedBudget{.trials = 450, .seconds = 30, .max_seconds = 60};
  EXPECT_EQ(draw_progress(half_way(), turn, 79),
            "[2/3] c #####----- all 450, 30 s/1 min 00 s 3 failed best 850.0 us ETA all 12 s");
}

TEST(DrawProgress, OfALimitInSecondsDrawsSeconds) {
  Progress progress = half_way();
  progress.max_trials = 1000;
  progress.max_seconds = 15;
  EXPECT_EQ(draw_progress(progress, TaskTurn{}, 79),
            "[1/1] conv1 ########-- 150/1000, 12 s/15 s 3 failed best 850.0 us ETA 12 s");
}

TEST(DrawProgress, NeverCountsBelowZero) {
  Progress progress = half_way();
  progress.remaining_seconds = -5;
  EXPECT_TRUE(draw_progress(progress, {}, 0).ends_with("ETA 0 s"));
}

TEST(DrawProgress, CountsWhatLogsCannotAnswer) {
  Progress progress = half_way();
  progress.rejected = 2310;
  EXPECT_EQ(draw_progress(progress, {}, 0).find("rejected"), std::string::npos);
  TaskTurn turn;
  turn.is_from_logs = true;
  EXPECT_NE(draw_progress(progress, turn, 0).find("), 2310 rejected  best"), std::string::npos);
  EXPECT_NE(draw_progress(progress, turn, 79).find(" failed 2310 rejected best"),
            std::string::npos);
}

// Found trials tell nothing of when the strategy will give up.
TEST(DrawProgress, OfLogsCountsTheMissesOfTheRound) {
  Progress progress = half_way();
  progress.misses = 435;
  progress.most_misses = 2000;
  EXPECT_TRUE(draw_progress(progress, {}, 0).ends_with("ETA 12 s"));
  TaskTurn turn;
  turn.is_from_logs = true;
  EXPECT_TRUE(
      draw_progress(progress, turn, 0).ends_with("  this round 435 of at most 2000 misses"));
  EXPECT_TRUE(draw_progress(progress, turn, 79).ends_with(" best 850.0 us 435/2000 misses"));
  progress.misses = 0;
  EXPECT_TRUE(draw_progress(progress, turn, 0).ends_with("  ETA -"));
}

TEST(DrawProgress, OfMoreTrialsThanAreAskedSaysThatNothingIsToAdd) {
  Progress progress = half_way();
  progress.max_trials = 5;
  EXPECT_NE(draw_progress(progress, {}, 0).find("# 150 trials, 5 asked: nothing to add  147 valid"),
            std::string::npos);
  TaskTurn turn;
  turn.shared = SharedBudget{.trials = 450, .max_trials = 40};
  EXPECT_NE(draw_progress(progress, turn, 0).find("# all 450 trials, 40 asked: nothing to add  "),
            std::string::npos);
}

TEST(DrawProgress, HasNoFlopsWhereThereAreNone) {
  Progress progress;
  progress.best_seconds = 1e-6;
  const std::string line = draw_progress(progress, TaskTurn(), 0);
  EXPECT_EQ(line.find("GFLOP/s"), std::string::npos) << line;
  EXPECT_NE(line.find("best 1.000 us  ETA"), std::string::npos) << line;
}

TEST(DrawProgress, SaysHowLongConfirmingTakes) {
  Progress progress = half_way();
  progress.phase = Phase::confirming;
  EXPECT_TRUE(draw_progress(progress, {}, 0).ends_with("confirming the best, ETA 12 s"));
  progress.remaining_seconds.reset();
  EXPECT_TRUE(draw_progress(progress, {}, 0).ends_with("confirming the best"));
}

TEST(DrawProgress, ShowsNamesWithoutTheirControlCharacters) {
  Progress progress = half_way();
  progress.task = "a\x1b[2J\n";
  EXPECT_TRUE(draw_progress(progress, {}, 0).starts_with("[1/1] a\\x1b[2J\\x0a  "));
}

TEST(DrawProgress, WithoutAResultSaysSo) {
  Progress progress;
  progress.task = "conv1";
  progress.max_trials = 300;
  EXPECT_EQ(draw_progress(progress, {}, 0),
            "[1/1] conv1  -------------------- 0/300  0 valid, 0 failed  no best yet  ETA -");
}

TEST(DrawProgress, OnANarrowTerminalKeepsTheEndOfTheLine) {
  const TaskTurn turn{.number = 2, .count = 3, .nominal_flops = 2.312e8, .peak_gflops = 290};
  Progress progress = half_way();
  progress.task = "c2d:ci=64,co=64,h=56,w=56,k=3,p=1+bias+relu";
  EXPECT_EQ(draw_progress(progress, turn, 79),
            "[2/3] c2d:ci=64,co #####----- 150/300 3 failed best 850.0 us ETA 12 s, all 36 s");
}

TEST(DrawProgress, FitsTheTerminal) { EXPECT_EQ(draw_progress(half_way(), {}, 40).size(), 40u); }

}  // namespace
}  // namespace dovetail
