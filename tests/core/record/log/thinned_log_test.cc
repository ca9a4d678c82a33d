// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/thinned_log.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "core/record/log/best_record.h"
#include "core/record/log/network_records.h"
#include "tests/core/record/log_samples.h"
#include "tests/core/record/record_samples.h"

namespace dovetail {
namespace {

using testing::any_log;
using testing::best_texts;
using testing::sample_failure;
using testing::sample_header;
using testing::sample_sentinel;
using testing::sample_trial;

constexpr Thinning kTight{.slowest = 1.33, .most_fast = 2, .most_slow = 1, .batch = 1};

Record trial_of(int64_t trial, double seconds, const std::string& algorithm = "") {
  Record record = sample_trial(trial);
  record.result.seconds = seconds;
  if (!algorithm.empty()) record.trace = "algorithm: " + algorithm + "\n" + record.trace.text();
  return record;
}

Log thinned(const std::vector<Record>& records, const Thinning& thinning = kTight) {
  Log log;
  log.headers = {sample_header()};
  log.records = records;
  const testing::TemporaryFolder folder;
  testing::write_file(folder.path("a.jsonl"), print(log));
  return *read_thinned(folder.path("a.jsonl"), thinning);
}

std::vector<int64_t> trials_of(const Log& log) {
  std::vector<int64_t> trials;
  for (const Record& record : log.records)
    if (record.kind == RecordKind::trial) trials.push_back(record.trial);
  return trials;
}

TEST(ThinnedLog, HasTheFastAndTheFastestOfEachWay) {
  const Log log = thinned({trial_of(1, 0.9), sample_failure(2), trial_of(3, 0.53),
                           trial_of(4, 0.8, "winograd(tile=2)"), trial_of(5, 0.5),
                           trial_of(6, 0.95), trial_of(7, 0.9, "winograd(tile=2)"),
                           trial_of(8, 0.9, "winograd(tile=4)"), sample_sentinel(1)});
  EXPECT_EQ(trials_of(log), (std::vector<int64_t>{1, 3, 4, 5, 8}));
  EXPECT_EQ(log.num_thinned, 3);
  EXPECT_EQ(num_trials(log), 8);
}

TEST(ThinnedLog, HasNoMoreOfTheFastThanATaskTakes) {
  const Log log = thinned({sample_failure(1), trial_of(2, 0.53), trial_of(3, 0.52),
                           trial_of(4, 0.51), trial_of(5, 0.5), trial_of(6, 0.54)});
  EXPECT_EQ(trials_of(log), (std::vector<int64_t>{1, 3, 4, 5}))
      << "the first, the two fastest, and one that is slow for being behind them";
}

TEST(ThinnedLog, HasFinalistsHoweverSlowTheyWere) {
  Record again = trial_of(2, 0.4);
  again.kind = RecordKind::confirmation;
  again.trace = {};
  const Log log = thinned({sample_failure(1), trial_of(2, 9), trial_of(3, 0.5), trial_of(4, 0.6),
                           trial_of(5, 0.9), trial_of(6, 0.95), again});
  EXPECT_EQ(trials_of(log), (std::vector<int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(best_trials(log.records).front().record.trial, 2);
}

TEST(ThinnedLog, OfExactAlgorithmsCountsTheirTrials) {
  Thinning exact = kTight;
  exact.exact = true;
  const Log log =
      thinned({trial_of(1, 0.5, "winograd(tile=2)"), trial_of(2, 0.9), sample_failure(3),
               trial_of(4, 0.4, "winograd_inner_product(of=3, scale=8)")},
              exact);
  EXPECT_EQ(trials_of(log), (std::vector<int64_t>{2}));
  EXPECT_EQ(num_trials(log), 2);
}

TEST(ThinnedLog, NamesATrialWithItsTaskThoughNothingOfTheOtherOneRan) {
  Record other = sample_failure(1);
  other.task = "gmm:m=8,n=8,k=8";
  const Log log = thinned({other, trial_of(1, 0.5)});
  EXPECT_EQ(name_of(log, log.records.back()).task, log.records.back().task);
}

TEST(ThinnedLog, OfNoFileIsAnError) {
  const Result<Log> none = read_thinned("/nowhere/a.jsonl");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().message, "log /nowhere/a.jsonl does not exist");
}

RC_GTEST_PROP(ThinnedLogLaw, HasTheSameBestAndAsManyTrials, ()) {
  const Log log = any_log();
  const testing::TemporaryFolder folder;
  testing::write_file(folder.path("a.jsonl"), print(log));
  const Log whole = *read_log(folder.path("a.jsonl"));
  const Log tight = *read_thinned(folder.path("a.jsonl"), kTight);
  RC_ASSERT(best_texts(tight.records) == best_texts(whole.records));
  RC_ASSERT(num_trials(tight) == num_trials(whole));
  RC_ASSERT(tight.others == whole.others);
  RC_ASSERT(tight.headers == whole.headers);
  RC_ASSERT(tight.sound_bytes == whole.sound_bytes);
}

RC_GTEST_PROP(ThinnedLogLaw, IsTheSameHoweverOftenItIsThinned, ()) {
  const testing::TemporaryFolder folder;
  testing::write_file(folder.path("a.jsonl"), print(any_log()));
  Thinning at_once = kTight;
  at_once.batch = 1'000'000;
  const Log often = *read_thinned(folder.path("a.jsonl"), kTight);
  const Log once = *read_thinned(folder.path("a.jsonl"), at_once);
  RC_ASSERT(often.records == once.records);
  RC_ASSERT(often.num_thinned == once.num_thinned);
}

}  // namespace
}  // namespace dovetail
