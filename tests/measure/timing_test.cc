// SPDX-License-Identifier: Apache-2.0
#include "measure/timing.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

namespace dovetail {
namespace {

// A clock that we set: each run takes what `seconds_of_run` says of its number.
struct FakeProgram {
  std::function<double(int64_t)> seconds_of_run;
  int64_t runs_done = 0;
  double operator()(int64_t runs) {
    double seconds = 0;
    for (int64_t i = 0; i < runs; ++i) seconds += seconds_of_run(runs_done++);
    return seconds;
  }
};

TEST(Timing, IntervalNeedsFiveValuesAndIgnoresAnOutlierAmongMany) {
  EXPECT_EQ(relative_half_width(std::vector<double>{1, 1, 1, 1}),
            std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(relative_half_width(std::vector<double>{1, 2, 3, 4, 5}), 2.0 / 3);
  std::vector<double> many(40, 1.0);
  many[7] = 100;
  EXPECT_EQ(relative_half_width(many), 0);
}

TEST(Timing, ASteadyProgramTakesTheLeastSamples) {
  FakeProgram program{[](int64_t) { return 1e-4; }};
  EXPECT_EQ(time_adaptively(std::ref(program), {})->size(), 8u);
}

TEST(Timing, TheFirstSlowRunsAreNotInTheSamples) {
  FakeProgram program{[](int64_t run) { return run < 5 ? 3e-4 : 1e-4; }};
  const auto samples = *time_adaptively(std::ref(program), {});
  for (double sample : samples) EXPECT_NEAR(sample, 1e-4, 1e-9);
}

TEST(Timing, WarmingUpEndsWhenItsTimeIsOver) {
  FakeProgram program{[](int64_t) { return 1e-4; }};
  const TimingRule rule{.warmup_seconds = 1.8e-3, .sample_seconds = 0};
  EXPECT_EQ(time_adaptively(std::ref(program), rule)->size(), 8u);
  EXPECT_NEAR(static_cast<double>(program.runs_done), 18 + 8, 1.5);
}

TEST(Timing, AShortProgramIsLooped) {
  FakeProgram program{[](int64_t) { return 1e-6; }};
  const auto samples = *time_adaptively(std::ref(program), {.sample_seconds = 30e-6});
  EXPECT_GE(program.runs_done, 30 * static_cast<int64_t>(samples.size()));
  EXPECT_NEAR(samples.front(), 1e-6, 1e-12);
}

TEST(Timing, ANoisyProgramIsRepeatedUntilItsMedianIsKnown) {
  FakeProgram program{[](int64_t run) { return 1e-4 * (1 + 0.02 * std::sin(double(run) * 1.7)); }};
  const TimingRule rule{.relative_half_width = 0.01};
  const auto samples = *time_adaptively(std::ref(program), rule);
  EXPECT_GT(samples.size(), 8u);
  EXPECT_LE(relative_half_width(samples), 0.01);
}

TEST(Timing, EndsWhenTheBudgetIsSpent) {
  FakeProgram program{[](int64_t run) { return run % 2 == 0 ? 1e-3 : 3e-3; }};
  const auto samples = *time_adaptively(std::ref(program), {.budget_seconds = 0.02});
  EXPECT_LT(samples.size(), 20u);
}

TEST(Timing, AProgramLongerThanTheBudgetIsStillTimedThreeTimes) {
  FakeProgram program{[](int64_t) { return 1.0; }};
  EXPECT_EQ(time_adaptively(std::ref(program), {.budget_seconds = 0.02})->size(), 3u);
}

TEST(Timing, EndsWhenItsWallClockTimeIsOver) {
  FakeProgram program{[](int64_t run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // caches are emptied
    return run % 2 == 0 ? 1e-5 : 3e-5;
  }};
  TimingRule rule{.warmup_seconds = 0, .sample_seconds = 0, .most_wall_seconds = 0.02};
  EXPECT_LE(time_adaptively(std::ref(program), rule)->size(), 4u);
  rule.most_wall_seconds = 1e-9;
  EXPECT_EQ(time_adaptively(std::ref(program), rule)->size(), 3u);
}

TEST(Timing, AClearlySlowerOneIsNotRepeatedToTheEnd) {
  FakeProgram program{[](int64_t run) { return 1e-4 * (2 + 0.2 * std::sin(double(run))); }};
  EXPECT_EQ(time_adaptively(std::ref(program), {.best_seconds = 1e-4})->size(), 5u);
}

TEST(Timing, OneFastSampleKeepsACandidateAlive) {
  FakeProgram program{[](int64_t run) { return run % 3 == 0 ? 1e-3 : 3e-3; }};
  EXPECT_GT(time_adaptively(std::ref(program), {.best_seconds = 1e-3})->size(), 7u);
}

}  // namespace
}  // namespace dovetail
