// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/space_from_records.h"

#include <gtest/gtest.h>

#include <set>

#include "search/strategies/points/points.h"
#include "tests/search/fake_runner.h"
#include "tests/search/small_space.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::small_space;

// One for each trace of the space; every third one failed.
std::vector<Record> records_of(const Space& space) {
  std::vector<Record> records;
  std::set<uint64_t> seen;
  for (std::optional<Point> point = first_point(space); point; point = next_point(space, *point)) {
    const Trace trace = space.decode(*point);
    if (!seen.insert(hash(trace)).second) continue;
    Record record;
    record.trial = static_cast<int64_t>(records.size()) + 1;
    record.task = print(*space.spec().region.op);
    record.trace = print(trace);
    record.result.status = records.size() % 3 == 2 ? Status::timeout : Status::ok;
    record.result.seconds = testing::fake_seconds(trace);
    record.result.times = {.build_seconds = 0.01, .run_seconds = 0.02, .check_seconds = 0.003};
    records.push_back(std::move(record));
  }
  return records;
}

TEST(SpaceFromRecords, HasEveryTraceOnceWithItsResult) {
  const Space space = small_space();
  const std::vector<Record> records = records_of(space);
  const MeasuredSpace measured = *space_from_records(space, records);
  EXPECT_EQ(measured.task, print(*space.spec().region.op));
  ASSERT_EQ(measured.points.size(), records.size());
  for (const Record& record : records) {
    const PointResult* point = measured.find(hash(*record.trace.value()));
    ASSERT_NE(point, nullptr);
    EXPECT_EQ(point->status, record.result.status);
    EXPECT_EQ(point->values.size(), measured.parameters.size());
    if (point->status == Status::ok) {
      EXPECT_NEAR(point->seconds / record.result.seconds, 1, 1e-4);
    }
  }
}

TEST(SpaceFromRecords, KeepsParametersWithMoreThanOneValue) {
  const Space space = small_space();
  const MeasuredSpace measured = *space_from_records(space, records_of(space));
  EXPECT_FALSE(measured.parameters.empty());
  for (size_t k = 0; k < measured.parameters.size(); ++k) {
    std::set<int64_t> values;
    for (const PointResult& point : measured.points) values.insert(point.values[k]);
    EXPECT_GT(values.size(), 1U) << measured.parameters[k];
  }
}

TEST(SpaceFromRecords, TakesTheMedianOfWhatWasMeasuredAgain) {
  const Space space = small_space();
  std::vector<Record> records = records_of(space);
  for (const double seconds : {3e-3, 1e-3, 2e-3}) {
    Record again = records[0];
    again.kind = RecordKind::confirmation;
    again.trace = {};
    again.result.seconds = seconds;
    records.push_back(std::move(again));
  }
  const MeasuredSpace measured = *space_from_records(space, records);
  const PointResult& point = *measured.find(hash(*records[0].trace.value()));
  EXPECT_DOUBLE_EQ(point.seconds, 2e-3);
  EXPECT_NEAR(point.first_seconds / records[0].result.seconds, 1, 1e-4);
}

TEST(SpaceFromRecords, AnEvaluationCostsBuildCheckAndRun) {
  const Space space = small_space();
  const std::vector<Record> records = records_of(space);
  const std::vector<Evaluation> evaluations = evaluations_of(*space_from_records(space, records));
  EXPECT_NEAR(evaluations[0].cost_seconds, 0.033, 1e-9);
  EXPECT_TRUE(evaluations[0].seconds.has_value());
  EXPECT_FALSE(evaluations[2].seconds.has_value());
  const Evaluation first = evaluation_of(records[0].result);
  EXPECT_NEAR(first.cost_seconds, 0.033, 1e-9);
  EXPECT_EQ(first.seconds, records[0].result.seconds);
  EXPECT_EQ(evaluation_of(records[2].result).seconds, std::nullopt);
}

TEST(SpaceFromRecords, RefusesRecordsOfAnotherTask) {
  std::vector<Record> records = records_of(small_space());
  for (Record& record : records) record.task = "gmm:m=4,n=4,k=2";
  EXPECT_ERROR(space_from_records(small_space(), records),
               "no record is of a point of the space of gmm:");
}

TEST(SpaceFromRecords, NamesATrialWhoseTraceCannotBeRead) {
  std::vector<Record> records = records_of(small_space());
  records[1].trace = "layout X: fold(a)\n";
  EXPECT_ERROR(space_from_records(small_space(), records), "trial 2: ");
}

}  // namespace
}  // namespace dovetail
