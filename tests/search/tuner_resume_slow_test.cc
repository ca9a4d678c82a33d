// SPDX-License-Identifier: Apache-2.0
// Each strategy's campaigns, repeated, interrupted, in slices and extended: the same trials.
#include <gtest/gtest.h>

#include <vector>

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

// One for each strategy that this build has, with a cost model and without.
std::vector<MemoryCampaign> campaigns_of_each(const Space& space, int64_t trials) {
  std::vector<MemoryCampaign> campaigns;
  for (const StrategyEntry& entry : strategies()) {
    // A library that this build has not.
    if (entry.is_program || (entry.available != nullptr && !entry.available())) continue;
    for (const bool learns : {false, true}) {
      MemoryCampaign campaign{space};
      campaign.options.stop.max_trials = trials;
      // Little learning: what a policy is worth is tested elsewhere.
      campaign.strategy_spec = entry.name == "ppo" ? "ppo:epochs=2" : entry.name;
      campaign.learns = learns;
      campaigns.push_back(std::move(campaign));
    }
  }
  return campaigns;
}

TEST(TunerOfEachStrategy,
     RepeatsEveryStrategyByItsSeedWheneverBuildsAreReadyAndHoweverOftenResumed) {
  const Space space = larger_space();
  std::vector<MemoryCampaign> campaigns = campaigns_of_each(space, 60);
  for (MemoryCampaign& whole : campaigns) {
    MemoryCampaign early = whole, pieces = whole;
    FakeRunner at_wait(fake_result, Answers::at_wait), at_submit(fake_result, Answers::at_submit);
    ASSERT_TRUE(whole.run(at_wait));
    ASSERT_TRUE(early.run(at_submit));
    EXPECT_EQ(traces(early.log), traces(whole.log)) << whole.strategy_spec;
    for (const int64_t after : {7, 40, -1}) {
      pieces.interrupt_after = after;
      FakeRunner fresh;
      ASSERT_TRUE(pieces.run(fresh));
    }
    EXPECT_EQ(traces(pieces.log), traces(whole.log)) << whole.strategy_spec;
    EXPECT_EQ(traces(whole.log).size(), 60u);
  }
}

TEST(TunerOfEachStrategy, GivesTheSameTrialsInAnySlicesAndToWhateverLimitsItIsExtended) {
  const Space space = larger_space();
  std::vector<MemoryCampaign> campaigns = campaigns_of_each(space, 70);
  for (MemoryCampaign& whole : campaigns) {
    MemoryCampaign sliced = whole, extended = whole;
    FakeRunner first, second;
    ASSERT_TRUE(whole.run(first));
    sliced.slices = {1, 16, 3, 1, 32, 7};
    ASSERT_TRUE(sliced.run(second));
    EXPECT_EQ(traces(sliced.log), traces(whole.log)) << whole.strategy_spec;
    for (const int64_t trials : {1, 20, 33, 48, 70}) {
      extended.options.stop.max_trials = trials;
      FakeRunner fresh;
      const Result<TuneSummary> summary = extended.run(fresh);
      ASSERT_TRUE(summary) << summary.error().message;
      EXPECT_EQ(summary->stats.trials, trials);
    }
    EXPECT_EQ(traces(extended.log), traces(whole.log)) << whole.strategy_spec;
  }
}

}  // namespace
}  // namespace dovetail
