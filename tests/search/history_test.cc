// SPDX-License-Identifier: Apache-2.0
#include "search/history.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "search/finalists.h"

namespace dovetail {
namespace {

constexpr int64_t kTrials = 2000;

Record trial(int64_t number, double seconds) {
  Record record;
  record.trial = number;
  record.task = "gmm:m=8,n=8,k=8";
  record.trace = "layout X:\nloops: split(loop=m, factor=" + std::to_string(number) + ")\n";
  record.result.status = seconds > 0 ? Status::ok : Status::timeout;
  record.result.seconds = seconds;
  record.result.samples = {seconds, seconds};
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
    for (int64_t number = 1; number <= kTrials; ++number)
      EXPECT_TRUE(history.add(trial(number, seconds_of(number))));
  }
};

TEST(History, WritesEveryRecordWhole) {
  const Filled filled;
  ASSERT_EQ(filled.written.size(), static_cast<size_t>(kTrials));
  for (const Record& record : filled.written) EXPECT_FALSE(record.trace.empty());
}

TEST(History, KeepsTheTracesOfTheFastestAndOfTheFirstValidTrial) {
  const Filled filled;
  std::vector<double> with_trace, without;
  for (const Record& record : filled.history.records()) {
    if (record.result.status != Status::ok) {
      EXPECT_TRUE(record.trace.empty() && record.result.samples.empty()) << record.trial;
    } else if (record.trial != 1) {
      (record.trace.empty() ? without : with_trace).push_back(record.result.seconds);
      EXPECT_EQ(record.trace.empty(), record.result.samples.empty()) << record.trial;
    }
  }
  EXPECT_EQ(filled.history.records()[0].trace, trial(1, 1).trace);
  ASSERT_FALSE(without.empty());
  EXPECT_GE(with_trace.size() + 1, History::kTraces);
  EXPECT_LE(with_trace.size(), History::kTraces);
  EXPECT_LT(*std::ranges::max_element(with_trace), *std::ranges::min_element(without));
}

TEST(History, HasTheSameFinalistsAsTheRecordsWhole) {
  const Filled filled;
  const std::vector<Record> found = find_finalists(filled.history.records(), 50);
  EXPECT_EQ(found, find_finalists(filled.written, 50));
}

}  // namespace
}  // namespace dovetail
