// SPDX-License-Identifier: Apache-2.0
#include "search/tuner.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/search/fake_runner.h"
#include "tests/search/memory_campaign.h"
#include "tests/search/small_space.h"

namespace dovetail {
namespace {

using testing::Answers;
using testing::failure;
using testing::fake_result;
using testing::fake_seconds;
using testing::FakeRunner;
using testing::illegal_space;
using testing::larger_space;
using testing::MemoryCampaign;
using testing::of_kind;
using testing::small_space;
using testing::traces;

TEST(Tuner, MeasuresAsManyTrialsAsAskedForAndNumbersThemInOrder) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->stats.trials, 200);
  EXPECT_EQ(summary->stats.valid, 200);
  EXPECT_EQ(summary->stop, StopReason::trials);
  const std::vector<Record> trials = of_kind(campaign.log, RecordKind::trial);
  ASSERT_EQ(trials.size(), 200u);
  for (size_t i = 0; i < trials.size(); ++i) {
    EXPECT_EQ(trials[i].trial, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(trials[i].task, "gmm:m=720,n=5040,k=4");
    EXPECT_EQ(trials[i].seed, 3u);
  }
}

TEST(Tuner, MeasuresTheDefaultTraceFirst) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(campaign.log.front().trace.text(), print(space.default_trace()));
  EXPECT_TRUE(campaign.log.front().is_default);
  EXPECT_EQ(summary->stats.default_seconds, fake_seconds(space.default_trace()));
}

TEST(Tuner, LeavesTheDefaultTraceOutWhenTold) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.options.default_first = false;
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_FALSE(summary->stats.default_seconds);
  for (const Record& record : campaign.log) EXPECT_FALSE(record.is_default);
}

TEST(Tuner, ProposesTheSameWheneverBuildsAreReady) {
  const Space space = larger_space();
  MemoryCampaign early{space}, late{space};
  FakeRunner at_submit(fake_result, Answers::at_submit), at_wait(fake_result, Answers::at_wait);
  ASSERT_TRUE(early.run(at_submit));
  ASSERT_TRUE(late.run(at_wait));
  EXPECT_EQ(traces(early.log), traces(late.log));
}

TEST(Tuner, KeepsTheRunnerBusy) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  size_t least_in_flight = 1000;
  int64_t measured = 0;
  FakeRunner* watched = nullptr;
  FakeRunner runner([&](const MeasureInput& input) {
    if (++measured < 180) least_in_flight = std::min(least_in_flight, watched->in_flight());
    return fake_result(input);
  });
  watched = &runner;
  ASSERT_TRUE(campaign.run(runner));
  EXPECT_GE(least_in_flight, 15u);  // a whole round waits behind the one that is measured
}

TEST(Tuner, KeepsTwoRoundsOfTheRunnersCapacityInFlight) {
  for (const size_t capacity : {size_t{5}, size_t{64}}) {
    const Space space = larger_space();
    MemoryCampaign campaign{space};
    campaign.options.sentinel_every = 0;
    size_t most_behind = 0;
    FakeRunner* watched = nullptr;
    FakeRunner runner([&](const MeasureInput& input) {
      most_behind = std::max(most_behind, watched->in_flight());
      return fake_result(input);
    });
    watched = &runner;
    runner.set_capacity(capacity);
    ASSERT_TRUE(campaign.run(runner));
    EXPECT_EQ(most_behind, 2 * capacity - 1);
  }
}

TEST(Tuner, NeverMeasuresATraceTwiceInTheSearch) {
  const Space space = small_space();
  MemoryCampaign campaign{space};
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  std::vector<std::string> all = traces(campaign.log);
  EXPECT_EQ(all.size(), 40u);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  EXPECT_EQ(summary->stats.rejected, 1);  // the strategy proposed the default trace, too
}

TEST(Tuner, EndsEarlyWhenTheSpaceIsExhausted) {
  const Space space = small_space();
  MemoryCampaign campaign{space};
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stop, StopReason::exhausted);
  EXPECT_EQ(summary->stats.trials, 40);
}

TEST(Tuner, CountsIllegalProposalsAsRejectedAndNotAsTrials) {
  const Space space = small_space({.with_illegal = true});
  MemoryCampaign campaign{space};
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stats.trials, 40);
  EXPECT_EQ(summary->stats.rejected, 11);  // 10 illegal, and the default trace once more
}

TEST(Tuner, OfASpaceWithoutALegalTraceSaysWhy) {
  const Space space = illegal_space();
  MemoryCampaign campaign{space};
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stats.trials, 0);
  EXPECT_FALSE(summary->best);
  EXPECT_NE(summary->failure.find("factor"), std::string::npos) << summary->failure;
}

TEST(Tuner, RecordsEveryFailureWithItsReasonAndGoesOn) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner runner([](const MeasureInput& input) {
    if (input.trial % 10 == 3) return failure(Status::timeout, "run took longer than 2 s");
    if (input.trial % 10 == 7) return failure(Status::wrong_output, "4 elements differ");
    return fake_result(input);
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stats.trials, 200);
  EXPECT_EQ(summary->stats.failed.at(Status::timeout), 20);
  EXPECT_EQ(summary->stats.failed.at(Status::wrong_output), 20);
  EXPECT_EQ(of_kind(campaign.log, RecordKind::trial)[2].result.reason, "run took longer than 2 s");
}

TEST(Tuner, WithoutAnyValidCandidateEndsWithTheFirstReason) {
  const Space space = small_space();
  MemoryCampaign campaign{space};
  FakeRunner runner(
      [](const MeasureInput&) { return failure(Status::build_error, "no registers"); });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_FALSE(summary->best);
  EXPECT_EQ(summary->failure, "build_error: no registers");
  EXPECT_TRUE(of_kind(campaign.log, RecordKind::confirmation).empty());
}

TEST(Tuner, StopsWhenTheDeviceIsLost) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner runner([](const MeasureInput& input) {
    return input.trial > 50 ? failure(Status::worker_lost, "connection refused")
                            : fake_result(input);
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stop, StopReason::device_lost);
  EXPECT_EQ(summary->device_error, "connection refused");
  EXPECT_LT(summary->stats.trials, 60);
}

TEST(Tuner, StopsAtOnceAndRecordsNothingWhereThereIsNoDevice) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner runner([](const MeasureInput& input) {
    if (input.trial <= 20) return fake_result(input);
    MeasureResult result = failure(Status::worker_lost, "no worker starts");
    result.no_device = true;
    return result;
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stop, StopReason::device_lost);
  EXPECT_EQ(summary->device_error, "no worker starts");
  EXPECT_EQ(campaign.log.size(), 20u);
}

TEST(Tuner, StopsAfterSoManyTrialsWithoutABetterOne) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.options.stop = {.max_trials = 5000, .patience = 40};
  FakeRunner runner([](const MeasureInput& input) {
    MeasureResult result = fake_result(input);
    result.seconds = input.trial <= 30 ? 1.0 / static_cast<double>(input.trial) : 1.0;
    return result;
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stop, StopReason::patience);
  EXPECT_GE(summary->stats.trials, 70);
  EXPECT_LE(summary->stats.trials, 70 + 2 * 16);  // what was in flight is finished and counted
}

TEST(Tuner, StopsWhenTheTimeIsOver) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.options.stop = {.max_trials = 5000, .max_seconds = 1.0};  // 0.01 s a record
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stop, StopReason::seconds);
  EXPECT_GE(summary->stats.trials, 48) << "half of the limit is for confirming";
  EXPECT_LE(summary->stats.trials, 90);
}

// Every candidate takes 8 s: 4096^3 on one core. The limit of 20 s is over with the third.
class SlowCandidates : public ::testing::Test {
 protected:
  MeasureResult measure(const MeasureInput& input, double seconds) {
    MeasureResult result = fake_result(input);
    result.times = {.run_seconds = seconds, .check_seconds = 0.5};
    now_ += seconds + 0.5;
    return result;
  }
  MemoryCampaign campaign_with(double limit) {
    MemoryCampaign campaign{space_};
    campaign.options.stop = {.max_trials = 1000, .max_seconds = limit};
    campaign.clock = [this](const std::vector<Record>&) { return now_; };
    return campaign;
  }
  const Space space_ = larger_space();
  double now_ = 0;
};

TEST_F(SlowCandidates, AreNotPutOnTheirWayBeyondTheLimit) {
  MemoryCampaign campaign = campaign_with(20);
  FakeRunner runner([&](const MeasureInput& input) { return measure(input, 8); });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stop, StopReason::seconds);
  EXPECT_LE(summary->stats.trials, 4) << "two rounds of 16 would be four minutes";
}

TEST_F(SlowCandidates, AreConfirmedInProportionToTheLimit) {
  for (const double limit : {20.0, 60.0, 300.0}) {
    now_ = 0;
    MemoryCampaign campaign = campaign_with(limit);
    FakeRunner runner([&](const MeasureInput& input) { return measure(input, 8); });
    const Result<TuneSummary> summary = campaign.run(runner);
    ASSERT_TRUE(summary);
    EXPECT_TRUE(summary->best) << "confirmed or not";
    EXPECT_LE(now_, 1.5 * limit + 20) << limit;
    ASSERT_EQ(campaign.notes.size(), 1u) << limit;
    EXPECT_NE(campaign.notes[0].find("of the "), std::string::npos) << campaign.notes[0];
  }
}

TEST_F(SlowCandidates, LeaveTimeForConfirmingTheBest) {
  MemoryCampaign campaign = campaign_with(100);
  FakeRunner runner([&](const MeasureInput& input) { return measure(input, 0.5); });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->stop, StopReason::seconds);
  EXPECT_TRUE(summary->best->confirmed);
  EXPECT_GT(now_, 75);
  EXPECT_LE(now_, 102) << "the last candidates under way, at most";
}

// The fastest by its first reading is slower than the default in truth, and time is short.
TEST_F(SlowCandidates, AreNeverConfirmedWithoutTheDefault) {
  for (const double confirming : {8.0, 10.0, 17.0, 19.0}) {
    now_ = 0;
    MemoryCampaign campaign = campaign_with(1e9);
    campaign.options.stop = {.max_trials = 3};
    campaign.slices = {3};
    campaign.confirming_seconds = confirming;
    std::set<int64_t> measured;
    FakeRunner runner([&](const MeasureInput& input) {
      MeasureResult result = measure(input, 8);
      const bool is_lucky = measured.insert(input.trial).second;
      result.seconds = input.trial == 1 ? 1.0 : input.trial == 2 && is_lucky ? 0.5 : 2.0;
      for (double& sample : result.samples) sample = result.seconds;
      return result;
    });
    const Result<TuneSummary> summary = campaign.run(runner);
    ASSERT_TRUE(summary && summary->best);
    const size_t confirmed = of_kind(campaign.log, RecordKind::confirmation).size();
    EXPECT_TRUE(confirmed == 0 || confirmed >= 2) << confirming << ": " << confirmed;
    EXPECT_EQ(confirmed > 0, confirming >= 17) << confirming << ": both take 8.5 s each";
    EXPECT_EQ(summary->best->record.trial, confirmed > 0 ? 1 : 2) << confirming;
  }
}

// The plan expects half a second for what takes 8.
TEST_F(SlowCandidates, AreMeasuredBesideTheDefaultEvenIfThePlanWasWrong) {
  MemoryCampaign campaign = campaign_with(1e9);
  campaign.options.stop = {.max_trials = 3};
  campaign.slices = {3};
  campaign.confirming_seconds = 4;
  std::set<int64_t> measured;
  FakeRunner runner([&](const MeasureInput& input) {
    const bool is_lucky = measured.insert(input.trial).second;
    MeasureResult result = measure(input, is_lucky ? 0.5 : 8);
    result.seconds = input.trial == 1 ? 1.0 : is_lucky ? 0.5 : 2.0;
    for (double& sample : result.samples) sample = result.seconds;
    return result;
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary && summary->best);
  EXPECT_GE(of_kind(campaign.log, RecordKind::confirmation).size(), 2u);
  EXPECT_EQ(summary->best->record.trial, 1);
}

TEST_F(SlowCandidates, KeepTheTimeOfTheirTrialWhereMeasuringAgainDoesNotFit) {
  MemoryCampaign campaign = campaign_with(20);
  FakeRunner runner([&](const MeasureInput& input) { return measure(input, 30); });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  ASSERT_TRUE(summary->best);
  EXPECT_FALSE(summary->best->confirmed);
  EXPECT_TRUE(of_kind(campaign.log, RecordKind::confirmation).empty());
  ASSERT_EQ(campaign.notes.size(), 1u);
  EXPECT_NE(campaign.notes[0].find("t: the best is not confirmed: measuring it again takes about"),
            std::string::npos)
      << campaign.notes[0];
}

TEST(Tuner, MeasuresTheSentinelAlongTheWay) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.options.sentinel_every = 50;
  FakeRunner runner;
  ASSERT_TRUE(campaign.run(runner));
  const std::vector<Record> sentinels = of_kind(campaign.log, RecordKind::sentinel);
  ASSERT_EQ(sentinels.size(), 4u);
  for (const Record& sentinel : sentinels) {
    EXPECT_EQ(sentinel.trial, 1);
    EXPECT_EQ(sentinel.trace.text(), "");
    EXPECT_EQ(sentinel.result.seconds, fake_seconds(space.default_trace()));
  }
}

TEST(Tuner, SaysHowFarTheSentinelMoved) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  int measured = 0;
  FakeRunner runner([&](const MeasureInput& input) {
    MeasureResult result = fake_result(input);
    if (input.trial == 1 && ++measured > 1) result.seconds *= 1.25;
    return result;
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  ASSERT_TRUE(summary->drift);
  EXPECT_NEAR(*summary->drift, 0.25, 1e-9);
}

TEST(Tuner, ConfirmsTheBestWithFreshSamplesAndTheyDecide) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  int measured = 0;  // trial 77
  FakeRunner runner([&](const MeasureInput& input) {
    MeasureResult result = fake_result(input);
    if (input.trial != 77) return result;
    const double factor = ++measured == 1 ? 0.1 : 2.0;  // a lucky reading, once
    result.seconds *= factor;
    for (double& sample : result.samples) sample *= factor;
    return result;
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_EQ(measured, 4);
  EXPECT_EQ(of_kind(campaign.log, RecordKind::confirmation).size(), 5u);
  ASSERT_TRUE(summary->best);
  EXPECT_TRUE(summary->best->confirmed);
  EXPECT_NE(summary->best->record.trial, 77);
}

TEST(Tuner, TakesTheNextBestWhenNoFinalistPassesAgain) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  int checked_on_real_data = 0;
  FakeRunner runner([&](const MeasureInput& input) {
    if (input.purpose == Purpose::confirm && ++checked_on_real_data <= 5)
      return failure(Status::wrong_output, "real data");
    return fake_result(input);
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  ASSERT_TRUE(summary->best);
  EXPECT_TRUE(summary->best->confirmed);
  EXPECT_EQ(of_kind(campaign.log, RecordKind::confirmation).size(), 10u);
}

TEST(Tuner, SaysWhyNoTrialPassedAgain) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner runner([&](const MeasureInput& input) {
    if (input.purpose == Purpose::confirm) return failure(Status::timeout, "it took 9 s");
    if (input.trial == 3) return failure(Status::run_error, "it crashed");
    return fake_result(input);
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_FALSE(summary->best);
  EXPECT_EQ(summary->failure, "measured again: timeout: it took 9 s");
}

// Every trial but the default was lucky at its first reading and is slower in truth.
TEST(Tuner, TheDefaultWinsWhereNothingBeatsItAgain) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  std::set<int64_t> measured;
  FakeRunner runner([&](const MeasureInput& input) {
    MeasureResult result = fake_result(input);
    const double seconds = input.trial == 1                      ? 1e-3
                           : measured.insert(input.trial).second ? 5e-4
                                                                 : 2e-3;
    result.seconds = seconds;
    for (double& sample : result.samples) sample = seconds;
    return result;
  });
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  ASSERT_TRUE(summary->best);
  EXPECT_EQ(summary->best->record.trial, 1);
  EXPECT_TRUE(summary->best->confirmed);
  EXPECT_EQ(summary->best->seconds, summary->stats.default_seconds);
  EXPECT_EQ(of_kind(campaign.log, RecordKind::confirmation).size(), 6u);
}

TEST(Tuner, TellsTheRunnerTheBestTimeSoFar) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner runner;
  ASSERT_TRUE(campaign.run(runner));
  double best = 0;
  for (const MeasureInput& input : runner.submitted()) {
    if (input.purpose != Purpose::trial || input.best_seconds == 0) continue;
    if (best > 0) {
      EXPECT_LE(input.best_seconds, best);
    }
    best = input.best_seconds;
  }
  EXPECT_GT(best, 0);
}

TEST(Tuner, ReportsItsProgress) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner runner;
  ASSERT_TRUE(campaign.run(runner));
  ASSERT_FALSE(campaign.progress.empty());
  const Progress& last = campaign.progress.back();
  EXPECT_EQ(last.trials, 200);
  EXPECT_EQ(last.valid, 200);
  EXPECT_EQ(last.max_trials, 200);
  EXPECT_TRUE(last.best_seconds);
  EXPECT_EQ(campaign.progress.front().trials, 1);
}

}  // namespace
}  // namespace dovetail
