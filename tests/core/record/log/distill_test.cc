// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/distill.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <sstream>

#include "core/record/log/best_record.h"
#include "core/record/statistics/log_stats.h"
#include "tests/core/record/log_samples.h"
#include "tests/core/record/record_samples.h"

namespace dovetail {
namespace {

using testing::any_log;
using testing::reread;
using testing::sample_failure;
using testing::sample_header;
using testing::sample_sentinel;
using testing::sample_trial;

Record confirmed(Record trial) {
  trial.kind = RecordKind::confirmation;
  trial.trace = {};
  return trial;
}

Log measured_log(std::vector<Record> records) {
  Log log;
  log.headers = {sample_header()};
  log.records = std::move(records);
  return log;
}

TEST(Distill, KeepsTheBestAndFinalistsWithTheirConfirmations) {
  // A trial is the faster the higher its number.
  const Log log =
      measured_log({sample_trial(1), sample_trial(2), sample_failure(3), sample_trial(4),
                    sample_trial(5), sample_sentinel(1), confirmed(sample_trial(2))});
  const Log distilled = distill(log);
  EXPECT_EQ(distilled.records, (std::vector{sample_trial(1), sample_trial(2), sample_sentinel(1),
                                            confirmed(sample_trial(2))}));
  EXPECT_EQ(distilled.headers.front().distilled_from, 5);
}

TEST(Distill, KeepsTheLastSittingAlone) {
  const auto confirmed_at = [](int64_t sitting, int64_t trial) {
    Record record = confirmed(sample_trial(trial));
    record.sitting = sitting;
    return record;
  };
  const Log log =
      measured_log({sample_trial(1), sample_trial(2), confirmed_at(2, 1), confirmed_at(2, 2),
                    sample_trial(3), confirmed_at(3, 2), confirmed_at(3, 3)});
  EXPECT_EQ(distill(log).records, (std::vector{sample_trial(1), sample_trial(2), sample_trial(3),
                                               confirmed_at(3, 2), confirmed_at(3, 3)}));
}

TEST(Distill, KeepsTheBestOfEachAlgorithm) {
  Record winograd = sample_trial(1);
  winograd.trace = "algorithm: winograd(tile=2)\n" + winograd.trace.text();
  Record slower = sample_trial(2);
  slower.result.seconds = 1;
  const Log distilled = distill(measured_log({winograd, slower, sample_trial(3)}));
  EXPECT_EQ(distilled.records, (std::vector{winograd, sample_trial(3)}));
}

TEST(Distill, OfATaskWithoutAValidTrialLeavesItsHeader) {
  const Log distilled = distill(measured_log({sample_failure(1)}));
  EXPECT_EQ(distilled.headers.size(), 1u);
  EXPECT_TRUE(distilled.records.empty());
}

TEST(Distill, IsNoDamageAndCannotBeResumed) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("distilled.jsonl");
  const Log log = measured_log({sample_trial(1), sample_trial(2), sample_trial(3)});
  testing::write_file(path, print(distill(log)));
  const Result<LogCheck> check = check_log(path);
  ASSERT_TRUE(check.has_value());
  EXPECT_TRUE(check->sound());
  EXPECT_EQ(check->num_distilled, 1);
  EXPECT_EQ(check->num_trials, 2);
  EXPECT_EQ(differences(read_log(path)->headers.front(), sample_header()),
            std::vector<std::string>{"distilled_from is 3 in the log, not set now"});
}

// Tasks come in whatever order their records do.
std::multiset<std::string> best_of(const std::vector<Record>& records) {
  const std::vector<std::string> texts = testing::best_texts(records);
  return {texts.begin(), texts.end()};
}

std::vector<Record> without_winograd(std::vector<Record> records) {
  std::erase_if(records,
                [](const Record& record) { return record.trace.text().starts_with("algorithm"); });
  return records;
}

RC_GTEST_PROP(DistillLaw, LeavesWhichRecordIsBest, ()) {
  const Log log = any_log();
  const Log distilled = distill(log);
  RC_ASSERT(best_of(distilled.records) == best_of(log.records));
  RC_ASSERT(best_of(without_winograd(distilled.records)) == best_of(without_winograd(log.records)));
}

RC_GTEST_PROP(DistillLaw, LeavesTheTimeOfTheDefault, ()) {
  const Log log = any_log();
  const auto defaults_of = [](const std::vector<Record>& records) {
    std::multiset<std::pair<std::string, std::optional<double>>> times;
    for (const TaskStats& stats : log_stats(records))
      if (stats.default_seconds)
        times.emplace(fmt::format("{} {}", stats.campaign, stats.task), stats.default_seconds);
    return times;
  };
  RC_ASSERT(defaults_of(distill(log).records) == defaults_of(log.records));
}

RC_GTEST_PROP(DistillLaw, OfADistilledLogIsThatLog, ()) {
  const Log distilled = distill(any_log());
  RC_ASSERT(print(distill(distilled)) == print(distilled));
  RC_ASSERT(print(distill(reread(distilled))) == print(distilled));
}

RC_GTEST_PROP(DistillLaw, CopiesLinesAsTheyAre, ()) {
  const Log log = any_log();
  const std::string whole = print(log);
  std::istringstream lines(print(distill(log)));
  for (std::string line; std::getline(lines, line);) {
    if (!is_header(line)) RC_ASSERT(whole.find(line + "\n") != std::string::npos);
  }
}

}  // namespace
}  // namespace dovetail
