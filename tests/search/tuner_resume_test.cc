// SPDX-License-Identifier: Apache-2.0
// Interrupted, resumed and repeated campaigns.
#include "search/tuner.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/search/fake_runner.h"
#include "tests/search/memory_campaign.h"
#include "tests/search/small_space.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::FakeRunner;
using testing::larger_space;
using testing::MemoryCampaign;
using testing::of_kind;
using testing::small_space;
using testing::traces;

TEST(Tuner, InterruptedKeepsWhatItHasAndEnds) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.interrupt_after = 37;
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stop, StopReason::interrupted);
  EXPECT_EQ(campaign.log.size(), 37u);
  EXPECT_TRUE(of_kind(campaign.log, RecordKind::confirmation).empty());
}

TEST(Tuner, ResumedEndsWithTheSameTrialsAsOneThatWasNeverInterrupted) {
  const Space space = small_space({.with_illegal = true});
  MemoryCampaign whole{space}, pieces{space};
  whole.options.sentinel_every = pieces.options.sentinel_every = 10;
  FakeRunner runner;
  ASSERT_TRUE(whole.run(runner));
  for (const int64_t after : {0, 1, 5, 16, 2, 13, -1}) {
    pieces.interrupt_after = after;
    FakeRunner fresh;
    const Result<TuneSummary> summary = pieces.run(fresh);
    ASSERT_TRUE(summary) << summary.error().message;
  }
  EXPECT_EQ(traces(pieces.log), traces(whole.log));
  ASSERT_EQ(pieces.log.size(), whole.log.size());
  for (size_t i = 0; i < whole.log.size(); ++i) {
    EXPECT_EQ(pieces.log[i].kind, whole.log[i].kind);
    EXPECT_EQ(pieces.log[i].trial, whole.log[i].trial);
    EXPECT_EQ(pieces.log[i].rejected, whole.log[i].rejected);
    EXPECT_EQ(pieces.log[i].result.seconds, whole.log[i].result.seconds);
  }
}

RC_GTEST_PROP(Tuner, GivesTheSameTrialsInAnySlices, ()) {
  const Space space = larger_space();
  MemoryCampaign whole{space};
  whole.options.stop.max_trials = *rc::gen::inRange<int64_t>(1, 120);
  whole.strategy_spec = *rc::gen::element<std::string>("evolutionary", "annealing", "random");
  whole.learns = *rc::gen::arbitrary<bool>();
  whole.seed = *rc::gen::inRange<uint64_t>(0, 1000);
  MemoryCampaign pieces = whole;
  FakeRunner first, second;
  RC_ASSERT(whole.run(first).has_value());
  pieces.slices = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(1, 40)));
  pieces.interrupt_after = *rc::gen::inRange<int64_t>(0, 60);
  RC_ASSERT(pieces.run(second).has_value());
  pieces.interrupt_after = -1;
  FakeRunner third;
  RC_ASSERT(pieces.run(third).has_value());
  RC_ASSERT(traces(pieces.log) == traces(whole.log));
}

TEST(Tuner, WithSmallerLimitsThanTheLogHasKeepsWhatItHas) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.options.stop.max_trials = 50;
  FakeRunner first, second;
  ASSERT_TRUE(campaign.run(first));
  campaign.options.stop = {.max_trials = 20, .max_seconds = 0.05, .patience = 2};
  const Result<TuneSummary> summary = campaign.run(second);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->stats.trials, 50);
  EXPECT_TRUE(second.submitted().empty());
}

TEST(Tuner, OfAFinishedCampaignMeasuresNothingAndGivesItsResult) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner first, second;
  const Result<TuneSummary> before = campaign.run(first);
  const size_t lines = campaign.log.size();
  const Result<TuneSummary> after = campaign.run(second);
  ASSERT_TRUE(before && after);
  EXPECT_TRUE(second.submitted().empty());
  EXPECT_EQ(campaign.log.size(), lines);
  EXPECT_EQ(after->best->record.trial, before->best->record.trial);
  EXPECT_EQ(after->stats.trials, 200);
}

TEST(Tuner, RefusesALogWhoseTrialsItWouldNotPropose) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner first, second;
  ASSERT_TRUE(campaign.run(first));
  campaign.log[20].trace = "loops: split(loop=m, factor=2)\n";
  EXPECT_ERROR(campaign.run(second), "has another trace in the log than is proposed now");
}

}  // namespace
}  // namespace dovetail
