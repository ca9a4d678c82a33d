// SPDX-License-Identifier: Apache-2.0
#pragma once

// LogRunner: answers measurements from logs instead of a device, for --results-from and for
// comparing strategies on spaces that were measured completely.
//
//   LogRunner runner(results, /*start_seconds=*/0);
//   runner.submit({.op = op, .trace = trace});     // a trace that results.check() accepts
//   runner.wait();                                 // as it was measured
//   runner.seconds();                              // what that took then: build, check and run
//
// The clock is simulated: it moves by what each answer took when it was measured, one after the
// other, and by nothing else. So a limit of seconds stops at the same trial every time, and a
// search of an hour is repeated in seconds. The search's own time is left out, since it is not the
// same twice. (Kernel Tuner's simulation counts the same three.)

#include <deque>

#include "core/record/runner.h"
#include "search/compare/simulate/recorded_results.h"

namespace dovetail {

class LogRunner final : public Runner {
 public:
  // The results outlive it.
  LogRunner(const RecordedResults& results, double start_seconds)
      : results_(results), seconds_(start_seconds) {}

  void submit(MeasureInput input) override;
  MeasureResult wait() override;
  size_t in_flight() const override { return answers_.size(); }

  double seconds() const { return seconds_; }

 private:
  const RecordedResults& results_;
  double seconds_;
  std::deque<MeasureResult> answers_;
};

}  // namespace dovetail
