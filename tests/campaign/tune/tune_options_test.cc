// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/tune_options.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

std::set<std::string> keys_of(const TuneOptions& options) {
  std::set<std::string> keys;
  for (const auto& [key, value] : deciding_options(tune_option_table(), options)) keys.insert(key);
  return keys;
}

const std::set<std::string> kAlways = {"cost_model", "no_default", "strategy", "variant"};

std::set<std::string> and_always(std::set<std::string> keys) {
  keys.insert(kAlways.begin(), kAlways.end());
  return keys;
}

TEST(TuneOptions, DecideWithTheirDefaultsWhereACampaignIsNothingWithoutThem) {
  const Options decide = deciding_options(tune_option_table(), TuneOptions());
  EXPECT_EQ(decide, (Options{{"cost_model", std::string("none")},
                             {"no_default", false},
                             {"strategy", std::string("dovetail")},
                             {"variant", std::string("joint")}}));
}

// A total is what a campaign may spend: a task's own end must not leave a part of it unused.
TEST(TuneOptions, LimitATaskByItselfWhereItSharesNoBudget) {
  TuneOptions options;
  EXPECT_EQ(trials_of_a_task(options), 1000);
  options.schedule = "gradient";
  EXPECT_GT(trials_of_a_task(options), 1'000'000);
  options.trials = 300;
  EXPECT_EQ(trials_of_a_task(options), 300);
}

TEST(TuneOptions, DecideElsewhereWhereTheyDifferFromTheDefault) {
  TuneOptions options;
  options.seconds = 2.5;
  options.cache = "cold";
  options.results_from = {"a.jsonl"};
  EXPECT_EQ(keys_of(options), and_always({"cache", "results_from", "seconds"}));
}

TEST(TuneOptions, DecideNothingByWhereResultsGo) {
  TuneOptions options;
  options.log = "a.jsonl";
  options.save_model = "a.model";
  options.resume = true;
  options.seed = 7;  // a header has it beside its options
  EXPECT_EQ(keys_of(options), kAlways);
}

TEST(TuneOptions, DecideByAnAgentThatGoesOnWhateverItsFile) {
  TuneOptions options;
  options.save_agent = "a.agent";
  const Options decide = deciding_options(tune_option_table(), options);
  EXPECT_EQ(decide.at("agent_goes_on"), OptionValue(true));
  EXPECT_EQ(keys_of(options), and_always({"agent_goes_on"}));
}

TEST(TuneOptions, DecideByThePointsOfAReducedSpaceOnly) {
  TuneOptions options;
  options.points = 100;
  EXPECT_EQ(keys_of(options), kAlways);
  options = {};
  options.space = "reduced";
  const Options decide = deciding_options(tune_option_table(), options);
  EXPECT_EQ(decide.at("points"), OptionValue(int64_t{50'000}));
}

TEST(TuneOptions, HaveADistinctNameAndAHelpEach) {
  std::set<std::string_view> names;
  for (const Option<TuneOptions>& option : tune_option_table()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
  }
}

TEST(TuneOptions, ThatExcludeEachOtherAreRefused) {
  TuneOptions options;
  options.workloads = {"gmm:m=8,n=8,k=8"};
  options.log = "a.jsonl";
  EXPECT_TRUE(check(options));
  options.resume = options.append = true;
  EXPECT_ERROR(check(options), "--resume and --append exclude each other");
}

}  // namespace
}  // namespace dovetail
