// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/recorded_results.h"

#include <gtest/gtest.h>

#include "tests/search/fake_runner.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::failure;

constexpr const char* kSpec = "gmm:m=8,n=16,k=4";

Trace trace_of(int64_t factor) {
  StageLoops loops;
  loops.primitives.emplace_back(loop::Split{.loop = "m", .factor = factor});
  return {.layouts = {}, .loops = {loops}};
}

MeasureResult result_of(double seconds) {
  MeasureResult result;
  result.status = Status::ok;
  result.seconds = seconds;
  result.samples = {seconds};
  result.times = {.build_seconds = 0.25,
                  .run_seconds = 0.5,
                  .check_seconds = 0.125,
                  .search_seconds = 1000,
                  .model_seconds = 1000};
  return result;
}

Record record_of(int64_t factor, MeasureResult result) {
  Record record;
  record.trial = 1;
  record.task = kSpec;
  record.target = "cpu";
  record.trace = print(trace_of(factor));
  record.result = std::move(result);
  return record;
}

MeasureInput input_of(int64_t factor, Purpose purpose = Purpose::trial) {
  MeasureInput input;
  input.spec = *parse_operator(kSpec);
  input.trace = trace_of(factor);
  input.purpose = purpose;
  return input;
}

TEST(RecordedResults, RefuseATraceThatTheyLackAndSayWhereItIsNot) {
  RecordedResults results("a.jsonl, b.jsonl");
  results.add(record_of(2, result_of(1e-3)));
  EXPECT_TRUE(results.check(kSpec, trace_of(2)));
  EXPECT_ERROR(results.check(kSpec, trace_of(4)), "the trace is not in a.jsonl, b.jsonl");
  EXPECT_ERROR(results.check("gmm:m=8,n=8,k=8", trace_of(2)), "the trace is not in");
}

TEST(RecordedResults, TakeTheFirstOfSeveralMeasurements) {
  RecordedResults results("a.jsonl");
  results.add(record_of(2, result_of(1e-3)));
  results.add(record_of(2, result_of(5e-4)));
  EXPECT_EQ(results.trial(kSpec, trace_of(2)).seconds, 1e-3);
}

TEST(RecordedResults, LeaveOutWhatWasNeverMeasuredBecauseAWorkerWasLost) {
  RecordedResults results("a.jsonl");
  results.add(record_of(2, failure(Status::worker_lost, "gone")));
  EXPECT_FALSE(results.check(kSpec, trace_of(2)));
  results.add(record_of(2, result_of(1e-3)));
  EXPECT_TRUE(results.check(kSpec, trace_of(2)));
}

TEST(LogRunner, AnswersInOrderWhatWasMeasuredFailuresIncluded) {
  RecordedResults results("a.jsonl");
  results.add(record_of(2, result_of(1e-3)));
  results.add(record_of(4, failure(Status::timeout, "too long")));
  LogRunner runner(results, 0);
  runner.submit(input_of(4));
  runner.submit(input_of(2));
  EXPECT_EQ(runner.in_flight(), 2u);
  EXPECT_EQ(runner.wait(), failure(Status::timeout, "too long"));
  EXPECT_EQ(runner.wait(), result_of(1e-3));
  EXPECT_EQ(runner.in_flight(), 0u);
}

TEST(LogRunner, AnswersAFinalistWithItsFreshSamplesWhereThereAreAny) {
  RecordedResults results("a.jsonl");
  results.add(record_of(2, result_of(1e-3)));
  results.add(record_of(4, result_of(2e-3)));
  results.add_confirmation(record_of(2, result_of(1e-3)), record_of(2, result_of(3e-3)));
  LogRunner runner(results, 0);
  for (const int64_t factor : {2, 4}) runner.submit(input_of(factor, Purpose::confirm));
  EXPECT_EQ(runner.wait().seconds, 3e-3);
  EXPECT_EQ(runner.wait().seconds, 2e-3);
}

TEST(LogRunner, MovesItsClockByBuildCheckAndRunAndNothingElse) {
  RecordedResults results("a.jsonl");
  results.add(record_of(2, result_of(1e-3)));
  LogRunner runner(results, 10);
  runner.submit(input_of(2));
  EXPECT_EQ(runner.seconds(), 10);
  runner.wait();
  EXPECT_EQ(runner.seconds(), 10.875);
}

}  // namespace
}  // namespace dovetail
