// SPDX-License-Identifier: Apache-2.0
#include "tests/search/fake_runner.h"

namespace dovetail::testing {

double fake_seconds(const Trace& trace) {
  return 1e-3 + 1e-3 * static_cast<double>(hash(trace) % 100003) / 100003.0;
}

MeasureResult fake_result(const MeasureInput& input) {
  const double seconds = fake_seconds(input.trace);
  MeasureResult result;
  result.status = Status::ok;
  result.seconds = seconds;
  result.samples = {seconds * 0.999, seconds, seconds * 1.001};
  result.times = {.build_seconds = 0.01, .run_seconds = 0.02, .check_seconds = 0.005};
  return result;
}

MeasureResult failure(Status status, std::string reason) {
  MeasureResult result;
  result.status = status;
  result.reason = std::move(reason);
  return result;
}

void FakeRunner::submit(MeasureInput input) {
  submitted_.push_back(input);
  MeasureResult result;
  if (when_ == Answers::at_submit) result = measure_(input);
  waiting_.push_back({std::move(input), std::move(result)});
}

MeasureResult FakeRunner::wait() {
  CHECK(!waiting_.empty(), "nothing is in flight");
  Waiting oldest = std::move(waiting_.front());
  waiting_.pop_front();
  return when_ == Answers::at_submit ? oldest.result : measure_(oldest.input);
}

}  // namespace dovetail::testing
