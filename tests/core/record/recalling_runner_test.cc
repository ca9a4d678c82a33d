// SPDX-License-Identifier: Apache-2.0
#include "core/record/recalling_runner.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// It answers how many it has measured so far.
class CountingRunner final : public Runner {
 public:
  void submit(MeasureInput) override { ++in_flight_; }
  MeasureResult wait() override {
    --in_flight_;
    MeasureResult result;
    result.status = Status::ok;
    result.seconds = static_cast<double>(++measured);
    return result;
  }
  size_t in_flight() const override { return in_flight_; }
  int measured = 0;

 private:
  size_t in_flight_ = 0;
};

constexpr const char* kSpec = "gmm:m=8,n=8,k=8";

Record known(const std::string& trace, double seconds, Status status = Status::ok) {
  Record record;
  record.trial = 1;
  record.task = kSpec;
  record.trace = trace;
  record.result.status = status;
  record.result.seconds = seconds;
  return record;
}

MeasureInput input(const std::string& trace, Purpose purpose = Purpose::trial) {
  MeasureInput input;
  input.spec = right(parse_task_spec(kSpec));
  input.trace = right(parse_trace(trace));
  input.purpose = purpose;
  return input;
}

constexpr const char* kA = "loops: split(loop=m, factor=4)\n";
constexpr const char* kB = "loops: split(loop=m, factor=2)\n";

TEST(RecallingRunner, AnswersWhatItKnowsInTheOrderOfSubmission) {
  CountingRunner device;
  RecallingRunner runner(device, {known(kA, 17)}, Caches::hot);
  runner.submit(input(kB));
  runner.submit(input(kA));
  runner.submit(input(kB));
  EXPECT_EQ(runner.in_flight(), 3u);
  EXPECT_EQ(runner.wait().seconds, 1);
  EXPECT_EQ(runner.wait().seconds, 17);
  EXPECT_EQ(runner.wait().seconds, 2);
  EXPECT_EQ(device.measured, 2);
  EXPECT_EQ(runner.recalled(), 1);
}

TEST(RecallingRunner, MeasuresWhatMustBeFreshAndOtherTasks) {
  CountingRunner device;
  RecallingRunner runner(device, {known(kA, 17)}, Caches::hot);
  int measured = 0;
  for (const Purpose purpose : {Purpose::remeasure, Purpose::confirm, Purpose::retime}) {
    runner.submit(input(kA, purpose));
    EXPECT_EQ(runner.wait().seconds, ++measured) << print(purpose);
  }
  MeasureInput other = input(kA);
  other.spec = right(parse_task_spec("gmm:m=16,n=8,k=8"));
  runner.submit(other);
  EXPECT_EQ(runner.wait().seconds, ++measured);
}

TEST(RecallingRunner, RecallsTimesOfTheSameCachesOnly) {
  CountingRunner device;
  RecallingRunner runner(device, {known(kA, 17)}, Caches::cold);
  runner.submit(input(kA));
  EXPECT_EQ(runner.wait().seconds, 1);
  EXPECT_EQ(runner.recalled(), 0);
}

TEST(RecallingRunner, RecallsFailuresOfCandidatesOnly) {
  CountingRunner device;
  RecallingRunner runner(
      device, {known(kA, 0, Status::wrong_output), known(kB, 0, Status::worker_lost)}, Caches::hot);
  runner.submit(input(kA));
  EXPECT_EQ(runner.wait().status, Status::wrong_output);
  runner.submit(input(kB));
  EXPECT_EQ(runner.wait().status, Status::ok);
  RecallingRunner of_wrong_times(device, {known(kA, 0, Status::impossible)}, Caches::hot);
  of_wrong_times.submit(input(kA));
  EXPECT_EQ(of_wrong_times.wait().status, Status::ok) << "measured, as if it were not known";
}

TEST(Purpose, IsReadAsItPrints) {
  for (const Purpose purpose :
       {Purpose::trial, Purpose::remeasure, Purpose::confirm, Purpose::retime})
    EXPECT_EQ(*parse_purpose(print(purpose)), purpose);
  EXPECT_ERROR(parse_purpose("again"), "unknown purpose again");
}

}  // namespace
}  // namespace dovetail
