// SPDX-License-Identifier: Apache-2.0
// Interrupted, resumed and repeated campaigns.
#include "search/tuner.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/search/fake_runner.h"
#include "tests/search/memory_campaign.h"
#include "tests/search/small_space.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::fake_result;
using testing::fake_seconds;
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

// All that is measured again, in a minute in which the machine is that much busier.
FakeRunner runner_of_a_minute(double busy) {
  return FakeRunner([busy](const MeasureInput& input) {
    MeasureResult result = fake_result(input);
    if (input.purpose == Purpose::trial) return result;
    result.seconds *= busy;
    for (double& sample : result.samples) sample *= busy;
    return result;
  });
}

std::set<int64_t> measured_again(const FakeRunner& runner) {
  std::set<int64_t> trials;
  for (const MeasureInput& input : runner.submitted())
    if (input.purpose != Purpose::trial) trials.insert(input.trial);
  return trials;
}

// Its limit in seconds let it measure two of six finalists again: that is its end, not an
// interruption.
TEST(Tuner, ResumedAfterItsEndRecallsWhatItConfirmedAndMeasuresNothing) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.options.stop.max_trials = 20;
  FakeRunner runner;
  ASSERT_TRUE(campaign.run(runner));
  const auto is_left_out = [kept = 0](const Record& record) mutable {
    return record.kind == RecordKind::confirmation && ++kept > 2;
  };
  std::erase_if(campaign.log, is_left_out);
  const size_t lines = campaign.log.size();
  const std::vector<BestTrial> before = best_trials(campaign.log);
  campaign.options.log_has_ended = true;
  FakeRunner unused;
  const Result<TuneSummary> again = campaign.run(unused);
  ASSERT_TRUE(again && again->best);
  EXPECT_TRUE(unused.submitted().empty());
  EXPECT_EQ(campaign.log.size(), lines);
  EXPECT_EQ(again->best->record.trial, before.front().record.trial);
  EXPECT_EQ(again->best->seconds, before.front().seconds);
}

TEST(Tuner, ExtendedMeasuresDefaultBestAndFinalistsInOneSitting) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.options.sentinel_every = 0;
  campaign.options.stop.max_trials = 20;
  FakeRunner busy = runner_of_a_minute(1.6), quiet = runner_of_a_minute(1);
  const Result<TuneSummary> first = campaign.run(busy);
  ASSERT_TRUE(first && first->best);
  campaign.options.stop.max_trials = 60;
  const Result<TuneSummary> second = campaign.run(quiet);
  ASSERT_TRUE(second && second->best);
  const std::set<int64_t> again = measured_again(quiet);
  EXPECT_TRUE(again.contains(1)) << "the default trace";
  EXPECT_TRUE(again.contains(first->best->record.trial)) << "the best so far";
  for (const Record& finalist : find_finalists(campaign.log, 5))
    EXPECT_TRUE(again.contains(finalist.trial));
  const auto seconds_of = [&](int64_t trial) {
    return fake_seconds(
        *of_kind(campaign.log, RecordKind::trial).at(static_cast<size_t>(trial - 1)).trace.value());
  };
  EXPECT_EQ(second->stats.default_seconds, seconds_of(1)) << "not that of the busy minute";
  EXPECT_EQ(second->best->seconds, seconds_of(second->best->record.trial));
  const std::vector<BestTrial> of_log = best_trials(campaign.log);
  EXPECT_EQ(of_log.front().record.trial, second->best->record.trial);
  EXPECT_EQ(of_log.front().seconds, second->best->seconds);
}

TEST(Tuner, ExtendedInABusyMinuteKeepsTheBestThatItHad) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.options.stop.max_trials = 60;
  FakeRunner quiet = runner_of_a_minute(1), busy = runner_of_a_minute(1.6);
  const Result<TuneSummary> first = campaign.run(quiet);
  campaign.options.stop.max_trials = 61;
  const Result<TuneSummary> second = campaign.run(busy);
  ASSERT_TRUE(first && second && first->best && second->best);
  const auto gain = [](const TuneSummary& summary) {
    return *summary.stats.default_seconds / summary.best->seconds;
  };
  EXPECT_GE(gain(*second), gain(*first) - 1e-9);
  EXPECT_GT(*second->stats.default_seconds, *first->stats.default_seconds);
}

TEST(Tuner, MeasuresASittingThatWasCutShortAsAWhole) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.options.sentinel_every = 0;
  FakeRunner busy = runner_of_a_minute(1.6), quiet = runner_of_a_minute(1), none;
  ASSERT_TRUE(campaign.run(busy));
  const size_t lines = campaign.log.size();
  const size_t of_sitting = of_kind(campaign.log, RecordKind::confirmation).size();
  campaign.log.pop_back();
  const Result<TuneSummary> summary = campaign.run(quiet);
  ASSERT_TRUE(summary && summary->best);
  EXPECT_EQ(measured_again(quiet).size(), of_sitting);
  EXPECT_EQ(campaign.log.size(), lines - 1 + of_sitting);
  const Trace trace = *summary->best->record.trace.value();
  EXPECT_EQ(summary->best->seconds, fake_seconds(trace));
  EXPECT_EQ(best_trials(campaign.log).front().seconds, fake_seconds(trace));
  const Result<TuneSummary> again = campaign.run(none);
  ASSERT_TRUE(again && again->best);
  EXPECT_TRUE(none.submitted().empty());
  EXPECT_EQ(again->best->seconds, summary->best->seconds);
}

TEST(Tuner, OfALogOfBeforeThatIsFinishedMeasuresNothing) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner first, second, third;
  ASSERT_TRUE(campaign.run(first));
  for (Record& record : campaign.log) record.sitting = 0;
  ASSERT_TRUE(campaign.run(second));
  EXPECT_TRUE(second.submitted().empty());
  campaign.options.stop.max_trials = 210;
  ASSERT_TRUE(campaign.run(third));
  EXPECT_TRUE(measured_again(third).contains(1)) << "of more trials it is another sitting";
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
