// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/log_runner.h"

#include "core/base/check.h"

namespace dovetail {

void LogRunner::submit(MeasureInput input) {
  const std::string spec = print(input.spec);
  answers_.push_back(input.thorough ? results_.confirmation(spec, input.trace)
                                    : results_.trial(spec, input.trace));
}

MeasureResult LogRunner::wait() {
  CHECK(!answers_.empty(), "nothing is in flight");
  MeasureResult answer = std::move(answers_.front());
  answers_.pop_front();
  const MeasureTimes& times = answer.times;
  seconds_ += times.build_seconds + times.check_seconds + times.run_seconds;
  return answer;
}

}  // namespace dovetail
