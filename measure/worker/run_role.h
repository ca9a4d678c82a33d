// SPDX-License-Identifier: Apache-2.0
#pragma once

// The run role: holds a device, and answers run, time and peak requests in that order.
//
// The operands' shared memory is mapped only between a run request and the end of its timing: a
// candidate that goes astray then finds no memory of the next one, which is being filled meanwhile.
// Further time requests time the same program again, on the operands it was timed on.

#include <memory>
#include <optional>

#include "measure/messages.h"
#include "measure/shared_memory.h"
#include "measure/worker/executor.h"
#include "measure/worker/faults.h"

namespace dovetail {

class RunRole {
 public:
  RunRole(std::unique_ptr<Executor> executor, Faults faults)
      : executor_(std::move(executor)), faults_(std::move(faults)) {}

  RunReply run(const RunRequest& request);
  TimeReply time(const TimeRequest& request);
  PeakReply peak(const PeakRequest& request) { return executor_->peak(request); }

 private:
  Outcome prepare(const RunRequest& request);
  std::string fault() const { return fault_of(faults_, trial_); }

  std::unique_ptr<Executor> executor_;
  Faults faults_;
  int64_t trial_ = 0;
  ArenaPlan plan_;
  std::optional<MappedMemory> arena_;
  bool is_ready_ = false;  // for another timing, of what was timed last
};

}  // namespace dovetail
