// SPDX-License-Identifier: Apache-2.0
// Each strategy's campaigns, repeated, interrupted, in slices and extended: the same trials.
#include <gtest/gtest.h>

#include "search/strategies/strategies.h"
#include "search/tuner.h"
#include "tests/search/fake_runner.h"
#include "tests/search/memory_campaign.h"
#include "tests/search/small_space.h"

namespace dovetail {
namespace {

using testing::Answers;
using testing::fake_result;
using testing::FakeRunner;
using testing::larger_space;
using testing::MemoryCampaign;
using testing::traces;

TEST(TunerOfEachStrategy,
     RepeatsEveryStrategyByItsSeedWheneverBuildsAreReadyAndHoweverOftenResumed) {
  const Space space = larger_space();
  for (const StrategyEntry& entry : strategies()) {
    // A library that this build has not.
    if (entry.is_program || (entry.available != nullptr && !entry.available())) continue;
    for (const bool learns : {false, true}) {
      MemoryCampaign whole{space};
      whole.options.stop.max_trials = 60;
      // Little learning: what a policy is worth is tested elsewhere.
      whole.strategy_spec = entry.name == "ppo" ? "ppo:epochs=2" : entry.name;
      whole.learns = learns;
      MemoryCampaign early = whole, pieces = whole;
      FakeRunner at_wait(fake_result, Answers::at_wait), at_submit(fake_result, Answers::at_submit);
      ASSERT_TRUE(whole.run(at_wait));
      ASSERT_TRUE(early.run(at_submit));
      EXPECT_EQ(traces(early.log), traces(whole.log)) << entry.name;
      for (const int64_t after : {7, 40, -1}) {
        pieces.interrupt_after = after;
        FakeRunner fresh;
        ASSERT_TRUE(pieces.run(fresh));
      }
      EXPECT_EQ(traces(pieces.log), traces(whole.log)) << entry.name;
      EXPECT_EQ(traces(whole.log).size(), 60u);
    }
  }
}

TEST(TunerOfEachStrategy, GivesTheSameTrialsInAnySlicesAndToWhateverLimitsItIsExtended) {
  const Space space = larger_space();
  for (const StrategyEntry& entry : strategies()) {
    if (entry.is_program || (entry.available != nullptr && !entry.available())) continue;
    for (const bool learns : {false, true}) {
      MemoryCampaign whole{space};
      whole.options.stop.max_trials = 70;
      whole.strategy_spec = entry.name == "ppo" ? "ppo:epochs=2" : entry.name;
      whole.learns = learns;
      MemoryCampaign sliced = whole, extended = whole;
      FakeRunner first, second;
      ASSERT_TRUE(whole.run(first));
      sliced.slices = {1, 16, 3, 1, 32, 7};
      ASSERT_TRUE(sliced.run(second));
      EXPECT_EQ(traces(sliced.log), traces(whole.log)) << entry.name;
      for (const int64_t trials : {1, 20, 33, 48, 70}) {
        extended.options.stop.max_trials = trials;
        FakeRunner fresh;
        const Result<TuneSummary> summary = extended.run(fresh);
        ASSERT_TRUE(summary) << summary.error().message;
        EXPECT_EQ(summary->stats.trials, trials);
      }
      EXPECT_EQ(traces(extended.log), traces(whole.log)) << entry.name;
    }
  }
}

}  // namespace
}  // namespace dovetail
