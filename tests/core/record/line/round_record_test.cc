// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/round_record.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/record/line/log_line.h"
#include "core/record/log/distill.h"
#include "core/record/log/merge.h"
#include "core/record/statistics/log_stats.h"
#include "tests/core/record/record_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::read_file;
using testing::sample_header;
using testing::sample_round;
using testing::sample_trial;
using testing::TemporaryFolder;
using testing::write_file;

Result<RoundRecord> changed(const std::string& from, const std::string& to) {
  std::string object = *open_line(print(sample_round(3)));
  const size_t at = object.find(from);
  CHECK(at != std::string::npos, "the line has it");
  return parse_round(object.replace(at, from.size(), to));
}

class RoundsOfALog : public ::testing::Test {
 protected:
  Log read(const std::string& bytes) {
    write_file(path_, bytes);
    Result<Log> log = read_log(path_);
    CHECK(log.has_value(), "a log");
    return *std::move(log);
  }
  TemporaryFolder folder_;
  std::string path_ = folder_.path("tune.jsonl");
};

const std::string kUnknownKind = seal_line(R"({"kind":"power","campaign":1,"watts":[81,79]})");

TEST(RoundRecord, NamesFieldsThatAreMissingOrImpossible) {
  EXPECT_ERROR(changed(R"("round":3)", R"("round":0)"), "field round");
  EXPECT_ERROR(changed(R"("kendall_tau":0.5)", R"("kendall_tau":1.5)"),
               "field kendall_tau: found 1.5, expected a number from -1 to 1");
  EXPECT_ERROR(changed(R"("top_1_recall":1.0,)", ""), "field top_1_recall");
  EXPECT_ERROR(changed(R"("training_seconds":0.02)", R"("training_seconds":"inf")"),
               "field training_seconds");
}

RC_GTEST_PROP(RoundRecordLaw, ParsesWhatItPrints, ()) {
  RoundRecord round = sample_round(*rc::gen::inRange<int64_t>(1, 1'000'000));
  round.kendall_tau = *rc::gen::inRange(-1000, 1001) / 1000.0;
  round.top_1_recall = *rc::gen::inRange(0, 1001) / 1000.0;
  round.training_seconds = std::abs(*rc::gen::arbitrary<int>()) / 997.0;
  if (*rc::gen::arbitrary<bool>()) round.fresh_kendall_tau = round.kendall_tau / 3;
  if (*rc::gen::arbitrary<bool>()) round.unknown["extra"] = R"({"b":[1,2.5,null]})";
  const auto back = parse_round(*open_line(print(round)));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == round);
}

// The file of version 1 stays as it is for ever.
TEST_F(RoundsOfALog, OfSchema1AreStillReadAndWrittenTheSame) {
  const auto golden_of = [](const std::string& schema) {
    return testing::source_file("tests/golden/core/record/" + schema + "_rounds.jsonl");
  };
  const Log log = read(golden_of("schema_1"));
  EXPECT_TRUE(log.warnings.empty());
  EXPECT_EQ(log.records.size(), 1u);
  EXPECT_EQ(log.rounds, (std::vector{sample_round(1), sample_round(2)}));
  ASSERT_EQ(log.others.size(), 1u);
  EXPECT_EQ(log.others.front().kind, "power");
  EXPECT_EQ(print(log), golden_of("schema_2"));
}

TEST_F(RoundsOfALog, AreNoTrialsAndNoDamage) {
  const std::string text = print(sample_header()) + "\n" + print(sample_trial(1)) + "\n" +
                           print(sample_round(1)) + "\n" + kUnknownKind + "\n";
  const Log log = read(text);
  EXPECT_TRUE(log.warnings.empty());
  EXPECT_EQ(log.records, std::vector{sample_trial(1)});
  const auto check = check_log(path_);
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->sound());
  EXPECT_EQ(check->num_trials, 1);
  EXPECT_EQ(check->num_rounds, 1);
  EXPECT_EQ(check->num_unknown, 1);
}

TEST_F(RoundsOfALog, ThatAreThereTwiceOrWithoutAHeaderAreSkippedWithAWarning) {
  RoundRecord orphan = sample_round(2);
  orphan.campaign = 7;
  const Log log = read(print(sample_header()) + "\n" + print(sample_round(1)) + "\n" +
                       print(sample_round(1)) + "\n" + print(orphan) + "\n");
  EXPECT_EQ(log.rounds, std::vector{sample_round(1)});
  ASSERT_EQ(log.warnings.size(), 2u);
  EXPECT_NE(log.warnings[0].text.find("round 1 of gmm:m=512,n=512,k=512"), std::string::npos);
  EXPECT_NE(log.warnings[1].text.find("campaign 7 has no header"), std::string::npos);
}

TEST_F(RoundsOfALog, StayWhenLogsAreMergedAndGoWhenTheyAreDistilled) {
  const Log log = read(print(sample_header()) + "\n" + print(sample_trial(1)) + "\n" +
                       print(sample_round(1)) + "\n" + kUnknownKind + "\n");
  Log earlier;
  earlier.headers = {sample_header()};
  earlier.headers.front().id = "0a";
  earlier.headers.front().started = "2026-11-19T00:00:00Z";
  const Log both = merge({log, earlier, log});
  ASSERT_EQ(both.rounds.size(), 1u);
  EXPECT_EQ(both.rounds.front().campaign, 2);
  ASSERT_EQ(both.others.size(), 1u);
  EXPECT_EQ(both.others.front().object, R"({"kind":"power","campaign":2,"watts":[81,79]})");
  EXPECT_TRUE(distill(log).rounds.empty());
  EXPECT_EQ(distill(log).others, log.others);  // nobody knows what they decide
}

TEST(RoundStats, AreTheMeansAndTheLastRound) {
  RoundRecord first = sample_round(1), last = sample_round(2);
  first.kendall_tau = 0.2;
  first.fresh_kendall_tau = 0.4;
  last.kendall_tau = 0.8;
  last.training_seconds = 0.04;
  const auto stats = log_stats(std::vector{sample_trial(1)}, std::vector{first, last});
  ASSERT_EQ(stats.size(), 1u);
  ASSERT_TRUE(stats[0].model);
  EXPECT_EQ(stats[0].model->cost_model, "xgboost");
  EXPECT_EQ(stats[0].model->rounds, 2);
  EXPECT_NEAR(stats[0].model->kendall_tau, 0.5, 1e-12);
  EXPECT_EQ(stats[0].model->last_kendall_tau, 0.8);
  EXPECT_NEAR(stats[0].model->training_seconds, 0.03, 1e-12);
  ASSERT_TRUE(stats[0].model->warm_start_gain);
  EXPECT_NEAR(*stats[0].model->warm_start_gain, -0.2, 1e-12);
}

}  // namespace
}  // namespace dovetail
