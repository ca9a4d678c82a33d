// SPDX-License-Identifier: Apache-2.0
#pragma once

// RecallingRunner: a runner that answers from a log where the log has the result, else from a
// device.
//
//   RecallingRunner runner(device, earlier, Caches::hot);   the log's records of this device
//   runner.submit(input);                      a trace that one of them has: nothing runs
//   runner.wait()                              its result, as it was
//   runner.recalled()                          1
//
// Networks share tasks, so that a result measured for one serves all. Inputs that need a fresh time
// (a sentinel, a finalist) are measured.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/line/record.h"
#include "core/record/runner.h"

namespace dovetail {

class RecallingRunner : public Runner {
 public:
  // Recalls trials of these caches whose outcome depends on the candidate; of several with one
  // trace, the first.
  RecallingRunner(Runner& device, const std::vector<Record>& earlier, Caches caches);

  void submit(MeasureInput input) override;
  MeasureResult wait() override;
  size_t capacity() const override { return device_.capacity(); }
  size_t in_flight() const override { return asked_.size(); }

  int64_t recalled() const { return recalled_; }

 private:
  Runner& device_;
  std::map<std::pair<std::string, uint64_t>, MeasureResult> known_;  // by task and trace
  std::deque<std::optional<MeasureResult>> asked_;  // in order; none: the device answers
  int64_t recalled_ = 0;
};

}  // namespace dovetail
