// SPDX-License-Identifier: Apache-2.0
#include "search/history.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dovetail {
namespace {

constexpr int64_t kTrials = 5000;

Record trial(int64_t number, double seconds) {
  Record record;
  record.trial = number;
  record.task = "gmm:m=8,n=8,k=8";
  record.trace = "layout X:\nloops: split(loop=m, factor=" + std::to_string(number) + ")\n";
  record.result.status = seconds > 0 ? Status::ok : Status::timeout;
  record.result.seconds = seconds;
  record.result.samples = {seconds, seconds};
  record.elapsed_seconds = static_cast<double>(number);
  return record;
}

Record sentinel(int64_t of_trial) {
  Record record = trial(of_trial, 1e-3);
  record.kind = RecordKind::sentinel;
  return record;
}

// Every seventh fails; the others take 1 to kTrials us, in no order.
double seconds_of(int64_t number) {
  return number % 7 == 0 ? 0 : 1e-6 * static_cast<double>(1 + number * 1009 % kTrials);
}

struct Filled {
  std::vector<Record> written;
  History history{{}, [this](const Record& record) {
                    written.push_back(record);
                    return Result<void>();
                  }};
  Filled() {
    for (int64_t number = 1; number <= kTrials; ++number) {
      EXPECT_TRUE(history.add(trial(number, seconds_of(number))));
      if (number % 100 != 0) continue;
      EXPECT_TRUE(history.add(sentinel(1)));
    }
  }
};

TEST(History, WritesEveryRecordWhole) {
  const Filled filled;
  ASSERT_EQ(filled.written.size(), static_cast<size_t>(kTrials + kTrials / 100));
  for (const Record& record : filled.written) EXPECT_FALSE(record.trace.empty());
}

TEST(History, KeepsTheFirstValidTrialAndTheFastestOfTheOthersWhole) {
  const Filled filled;
  std::vector<Record> valid;
  for (const Record& record : filled.written) {
    if (record.kind == RecordKind::trial && record.result.status == Status::ok)
      valid.push_back(record);
  }
  ASSERT_GT(valid.size(), 1 + History::kFastest);
  std::ranges::stable_sort(valid.begin() + 1, valid.end(), {},
                           [](const Record& record) { return record.result.seconds; });
  valid.resize(1 + History::kFastest);
  std::ranges::sort(valid, {}, &Record::trial);
  const std::span<const Record> kept = filled.history.trials();
  EXPECT_EQ(std::vector(kept.begin(), kept.end()), valid);
  EXPECT_TRUE(filled.history.confirmations().empty());
}

TEST(History, CountsWhatItDoesNotKeep) {
  const TaskStats stats = Filled().history.tally().stats();
  EXPECT_EQ(stats.trials, kTrials);
  EXPECT_EQ(stats.failed.at(Status::timeout), kTrials / 7);
  EXPECT_EQ(stats.sentinels, kTrials / 100);
}

TEST(History, HasTheSameFinalistsAsTheRecordsWhole) {
  const Filled filled;
  EXPECT_EQ(find_finalists(filled.history.trials(), 50), find_finalists(filled.written, 50));
}

TEST(History, KnowsWhenItsLastLineWas) {
  EXPECT_EQ(History({}, {}).last_elapsed_seconds(), std::nullopt);
  EXPECT_EQ(Filled().history.last_elapsed_seconds(), 1);  // a sentinel's, of trial 1
}

}  // namespace
}  // namespace dovetail
