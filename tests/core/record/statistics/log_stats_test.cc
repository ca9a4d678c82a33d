// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/log_stats.h"

#include <gtest/gtest.h>

#include "tests/core/record/record_samples.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::read_file;
using testing::sample_failure;
using testing::sample_header;
using testing::sample_sentinel;
using testing::sample_trial;
using testing::TemporaryFolder;
using testing::write_file;

TEST(LogStats, CountsPerTaskAndCampaign) {
  Record slow_sentinel = sample_sentinel(1);
  slow_sentinel.result.seconds = 0.0011;
  Record other = sample_failure(1);
  other.task = "gmm:m=8,n=8,k=8";
  Record crash = sample_failure(4);
  crash.result.status = Status::run_error;
  const auto stats =
      log_stats(std::vector{sample_trial(1), sample_trial(2), sample_failure(3), crash,
                            sample_sentinel(1), slow_sentinel, other, sample_trial(5)});
  ASSERT_EQ(stats.size(), 2u);
  EXPECT_EQ(stats[0].trials, 5);
  EXPECT_EQ(stats[0].valid, 3);
  EXPECT_EQ(stats[0].failed,
            (std::map<Status, int64_t>{{Status::timeout, 1}, {Status::run_error, 1}}));
  EXPECT_EQ(stats[0].rejected, 10);
  EXPECT_EQ(stats[0].default_seconds, 0.001);
  EXPECT_EQ(stats[0].median_seconds, 0.0005);
  EXPECT_EQ(stats[0].best_seconds, sample_trial(5).result.seconds);
  EXPECT_EQ(stats[0].best_trial, 5);
  EXPECT_EQ(stats[0].sentinels, 2);
  EXPECT_NEAR(*stats[0].sentinel_spread, 0.1, 1e-9);
  EXPECT_NEAR(stats[0].times.run_seconds, 5 * 0.03 + 2 * 2.0, 1e-9);
  EXPECT_EQ(stats[0].elapsed_seconds, 1.25);
  EXPECT_EQ(stats[1].task, other.task);
  EXPECT_EQ(stats[1].valid, 0);
  EXPECT_EQ(stats[1].best_seconds, std::nullopt);
  EXPECT_EQ(stats[1].best_trial, 0);
}

TEST(LogStats, TheDefaultsTimeIsItsConfirmationsOrElseAllOfItsReadings) {
  Record sentinel = sample_sentinel(1), confirmation = sample_sentinel(1);
  sentinel.is_default = confirmation.is_default = true;
  sentinel.result.seconds = 0.0014;
  confirmation.kind = RecordKind::confirmation;
  confirmation.result.seconds = 0.0013;
  const auto unconfirmed = log_stats(std::vector{sample_trial(1), sentinel}).front();
  EXPECT_EQ(unconfirmed.default_first_seconds, 0.001);
  EXPECT_DOUBLE_EQ(unconfirmed.default_seconds.value(), 0.0012);
  const auto confirmed = log_stats(std::vector{sample_trial(1), sentinel, confirmation}).front();
  EXPECT_EQ(confirmed.default_first_seconds, 0.001);
  EXPECT_EQ(confirmed.default_seconds, 0.0013);
  Record before = confirmation, after = confirmation;
  before.sitting = 20;
  after.sitting = 60;
  after.result.seconds = 0.0011;
  const std::vector<Record> extended{sample_trial(1), before, after};
  EXPECT_EQ(log_stats(extended).front().default_seconds, 0.0011);
  const std::vector<Record> merged{sample_trial(1), after, before};
  EXPECT_EQ(log_stats(merged).front().default_seconds, 0.0011) << "the last one is by number";
}

TEST(LogStats, OfNothingAreNone) { EXPECT_TRUE(log_stats({}).empty()); }

class LogChecking : public ::testing::Test {
 protected:
  Result<LogCheck> check(std::string_view bytes) {
    write_file(path_, bytes);
    return check_log(path_);
  }
  TemporaryFolder folder_;
  std::string path_ = folder_.path("tune.jsonl");
  std::string header_ = print(sample_header()) + "\n";
};

TEST_F(LogChecking, FindsASoundLogSound) {
  const auto found =
      check(header_ + print(sample_trial(1)) + "\n" + print(sample_sentinel(1)) + "\n");
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->sound());
  EXPECT_FALSE(found->torn);
  EXPECT_EQ(found->num_lines, 3);
  EXPECT_EQ(found->num_campaigns, 1);
  EXPECT_EQ(found->num_trials, 1);
  EXPECT_EQ(found->num_other_records, 1);
}

TEST_F(LogChecking, CallsATornLastLineNoDamage) {
  const auto found = check(header_ + print(sample_trial(1)) + "\n{\"trial\":2,");
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->sound());
  EXPECT_TRUE(found->torn);
}

TEST_F(LogChecking, ListsEveryBadLineAndWhatIsMissing) {
  std::string damaged = print(sample_trial(2));
  damaged[3] ^= 1;
  const auto found = check(header_ + print(sample_trial(1)) + "\n" + damaged + "\nhello\n" +
                           print(sample_trial(3)) + "\n" + print(sample_trial(7)) + "\n" +
                           print(sample_sentinel(2)) + "\n");
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->sound());
  ASSERT_EQ(found->bad_lines.size(), 2u);
  EXPECT_EQ(found->bad_lines[0].line, 3);
  EXPECT_EQ(found->bad_lines[1].line, 4);
  const std::string task = sample_trial(1).task;
  EXPECT_EQ(found->gaps,
            (std::vector<std::string>{
                "campaign 1, " + task + ": trial 2 is missing",
                "campaign 1, " + task + ": trials 4 to 6 are missing",
                "campaign 1, " + task + ": a sentinel is of trial 2, which is missing"}));
}

TEST_F(LogChecking, RefusesWhatIsNoLog) {
  EXPECT_ERROR(check("hello\n"), "is not a log");
  EXPECT_ERROR(check_log(folder_.path("none.jsonl")), "does not exist");
}

}  // namespace
}  // namespace dovetail
