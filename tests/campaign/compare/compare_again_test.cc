// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/compare_again.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

Record trial(const std::string& trace, double seconds) {
  Record record;
  record.trace = trace;
  record.result.status = Status::ok;
  record.result.seconds = seconds;
  record.result.times = {.build_seconds = 1, .run_seconds = 2, .check_seconds = 4};
  return record;
}

Record failure(const std::string& trace) {
  Record record = trial(trace, 0);
  record.result.status = Status::timeout;
  return record;
}

Record of_kind(RecordKind kind, Record record) {
  record.kind = kind;
  return record;
}

// By its own times the run holds a, then c, then e.
const std::vector<Record> kRun = {trial("a", 5),
                                  failure("b"),
                                  trial("c", 4),
                                  of_kind(RecordKind::sentinel, trial("", 1)),
                                  trial("d", 6),
                                  trial("e", 3),
                                  of_kind(RecordKind::confirmation, trial("", 2))};

std::vector<double> judged(const SecondsByTrace& seconds) {
  std::vector<double> found;
  for (const Evaluation& evaluation : judged_evaluations(kRun, seconds))
    found.push_back(evaluation.seconds.value_or(-1));
  return found;
}

TEST(BestSoFarTraces, AreThoseFasterThanAllBefore) {
  EXPECT_EQ(best_so_far_traces(kRun), (std::vector<std::string>{"a", "c", "e"}));
  EXPECT_TRUE(best_so_far_traces({}).empty());
}

TEST(JudgedEvaluations, AreWhatTheRunHeldByTheNewTimes) {
  EXPECT_EQ(judged({{"a", 7}, {"c", 6}, {"e", 5}}), (std::vector<double>{7, -1, 6, 6, 5}));
  EXPECT_EQ(judged_evaluations(kRun, {{"a", 7}}).front().cost_seconds, 7);
}

TEST(JudgedEvaluations, KeepTheFasterWhereTheRunWasMisled) {
  EXPECT_EQ(judged({{"a", 7}, {"c", 8}, {"e", 6}}), (std::vector<double>{7, -1, 7, 7, 6}));
}

TEST(JudgedEvaluations, LeaveOutWhatIsNotRightAnyMore) {
  EXPECT_EQ(judged({{"c", 6}, {"e", 5}}), (std::vector<double>{-1, -1, 6, 6, 5}));
  EXPECT_EQ(judged({}), (std::vector<double>{-1, -1, -1, -1, -1}));
}

}  // namespace
}  // namespace dovetail
