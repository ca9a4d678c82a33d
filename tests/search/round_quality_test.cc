// SPDX-License-Identifier: Apache-2.0
#include "search/history.h"

#include <gtest/gtest.h>

#include "tests/search/fake_runner.h"
#include "tests/search/memory_campaign.h"
#include "tests/search/simulated_search.h"
#include "tests/search/small_space.h"

namespace dovetail {
namespace {

using testing::failure;
using testing::fake_result;
using testing::FakeRunner;
using testing::larger_space;
using testing::LengthModel;
using testing::MemoryCampaign;
using testing::traces;

TEST(RoundQuality, IsThatOfTheScoresBeforeTheyWereMeasured) {
  const auto round = judge_round(std::vector<ScoredResult>{{.score = 0.9, .seconds = 2e-6},
                                                           {.score = 0.7, .seconds = 1e-6},
                                                           {.score = 0.4, .seconds = 3e-6},
                                                           {.score = 0.1, .seconds = 4e-6}});
  ASSERT_TRUE(round);
  EXPECT_EQ(round->candidates, 4);
  EXPECT_EQ(round->valid, 4);
  EXPECT_EQ(round->top_1_recall, 0);
  EXPECT_EQ(round->top_5_recall, 1);
  EXPECT_NEAR(round->kendall_tau, 4.0 / 6, 1e-12);
  EXPECT_EQ(round->top_1_speed, 0.5);
  EXPECT_FALSE(round->fresh_kendall_tau);
}

TEST(RoundQuality, JudgesTheFreshModelOnTheSameCandidates) {
  const auto round =
      judge_round(std::vector<ScoredResult>{{.score = 2, .fresh_score = 1, .seconds = 1e-6},
                                            {.score = 1, .fresh_score = 2, .seconds = 2e-6}});
  ASSERT_TRUE(round);
  EXPECT_EQ(round->kendall_tau, 1);
  EXPECT_EQ(round->fresh_kendall_tau, -1);
}

TEST(RoundQuality, OfOneValidCandidateIsNone) {
  EXPECT_FALSE(judge_round(std::vector<ScoredResult>{{.score = 1, .seconds = 1e-6}, {.score = 2}}));
  EXPECT_FALSE(judge_round({}));
}

TEST(RoundQuality, OfACampaignIsALineARound) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.learns = true;
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  ASSERT_EQ(campaign.rounds.size(), 13u);  // 200 trials by 16
  for (size_t i = 0; i < campaign.rounds.size(); ++i) {
    const RoundRecord& round = campaign.rounds[i];
    EXPECT_EQ(round.round, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(round.first_trial, 16 * static_cast<int64_t>(i) + 1);
    EXPECT_EQ(round.candidates, i == 0 ? 15 : i == 12 ? 8 : 16);  // the default trace has no score
    EXPECT_EQ(round.cost_model, "lengths");
    EXPECT_FALSE(round.fresh_kendall_tau);
  }
  ASSERT_TRUE(summary->stats.model);
  EXPECT_EQ(summary->stats.model->rounds, 13);
  EXPECT_EQ(summary->stats.model->last_kendall_tau, campaign.rounds.back().kendall_tau);
}

TEST(RoundQuality, OfACampaignWithoutACostModelIsNone) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  FakeRunner runner;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  EXPECT_TRUE(campaign.rounds.empty());
  EXPECT_FALSE(summary->stats.model);
}

TEST(RoundQuality, LeavesRoundsOutThatFailed) {
  const Space space = larger_space();
  MemoryCampaign campaign{space};
  campaign.learns = true;
  FakeRunner runner([](const MeasureInput& input) {
    const bool fails = input.trial > 32 && input.trial <= 48;
    return fails ? failure(Status::timeout, "slow") : fake_result(input);
  });
  ASSERT_TRUE(campaign.run(runner));
  ASSERT_EQ(campaign.rounds.size(), 12u);
  EXPECT_EQ(campaign.rounds[1].round, 2);
  EXPECT_EQ(campaign.rounds[2].round, 4);
}

TEST(RoundQuality, OfAResumedCampaignIsWrittenOnce) {
  const Space space = larger_space();
  MemoryCampaign whole{space}, pieces{space};
  whole.learns = pieces.learns = true;
  FakeRunner runner;
  ASSERT_TRUE(whole.run(runner));
  for (const int64_t after : {5, 40, 33, -1}) {
    pieces.interrupt_after = after;
    FakeRunner fresh;
    ASSERT_TRUE(pieces.run(fresh));
  }
  ASSERT_EQ(pieces.rounds.size(), whole.rounds.size());
  for (size_t i = 0; i < whole.rounds.size(); ++i) {
    EXPECT_EQ(pieces.rounds[i].round, whole.rounds[i].round);
    EXPECT_EQ(pieces.rounds[i].kendall_tau, whole.rounds[i].kendall_tau);
    EXPECT_EQ(pieces.rounds[i].elapsed_seconds, whole.rounds[i].elapsed_seconds);
  }
}

// Orders by what it is told once, and learns nothing.
class ConstantModel final : public CostModel {
 public:
  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    return std::vector<double>(inputs.size(), 0);
  }
  void update(std::span<const CostSample>) override { ++updates; }
  int updates = 0;
};

TEST(RoundQuality, KnowsWhatAWarmStartAddedInTheFirstRounds) {
  const Space space = larger_space();
  MemoryCampaign campaign{space}, plain{space};
  ConstantModel fresh;
  campaign.learns = plain.learns = true;
  campaign.fresh_model = &fresh;
  FakeRunner runner, again;
  const Result<TuneSummary> summary = campaign.run(runner);
  ASSERT_TRUE(summary);
  ASSERT_TRUE(plain.run(again));
  EXPECT_EQ(fresh.updates, 8);
  double gain = 0;
  for (const RoundRecord& round : campaign.rounds) {
    EXPECT_EQ(round.fresh_kendall_tau.has_value(), round.round <= 8);
    if (round.fresh_kendall_tau) {
      EXPECT_EQ(round.fresh_kendall_tau, 0);  // all scores tie
      gain += round.kendall_tau / 8;
    }
  }
  ASSERT_TRUE(summary->stats.model);
  ASSERT_TRUE(summary->stats.model->warm_start_gain);
  EXPECT_NEAR(*summary->stats.model->warm_start_gain, gain, 1e-12);
  EXPECT_EQ(traces(campaign.log), traces(plain.log));  // it is judged and decides nothing
}

}  // namespace
}  // namespace dovetail
