// SPDX-License-Identifier: Apache-2.0
#pragma once

// ClockedRunner: a runner, and the seconds since it was first asked.
//
//   ClockedRunner runner(device, /*runs=*/false);
//   runner.seconds()         0, however long the log answers
//   runner.submit(input);
//   runner.seconds()         the time since
//
// A resumed campaign goes again through what its log has, which took its time once. Its clock
// stands until then, so that a larger limit in seconds buys as many seconds of measuring.

#include <optional>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/record/runner.h"

namespace dovetail {

class ClockedRunner : public Runner {
 public:
  // `runs`: from the start, as that of a new campaign does.
  ClockedRunner(Runner& device, bool runs) : device_(device) {
    if (runs) watch_.emplace();
  }

  void submit(MeasureInput input) override {
    if (!watch_) watch_.emplace();
    device_.submit(std::move(input));
  }
  MeasureResult wait() override { return device_.wait(); }
  size_t capacity() const override { return device_.capacity(); }
  size_t in_flight() const override { return device_.in_flight(); }

  double seconds() const { return watch_ ? watch_->seconds() : 0; }

 private:
  Runner& device_;
  std::optional<Stopwatch> watch_;  // none: it stands
};

}  // namespace dovetail
