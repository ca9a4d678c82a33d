// SPDX-License-Identifier: Apache-2.0
#pragma once

// WorkerSlot: a place that always has a worker: it starts one when there is none, and another when
// the last one died. `Exchange` says what became of a request; only `unavailable` is not the
// candidate's doing.

#include <memory>
#include <mutex>
#include <string>

#include "measure/worker_process.h"

namespace dovetail {

class WorkerSlot {
 public:
  // `lease_seconds`: how long a fresh worker may take until it is ready (to get its device).
  WorkerSlot(WorkerCommand command, double lease_seconds)
      : command_(std::move(command)), lease_seconds_(lease_seconds) {}

  // From one thread only: the workers die with it.
  Exchange exchange(const Frame& request, double timeout_seconds);
  // From any thread: ends the worker, and no other is started.
  void close();
  // From any thread: the worker, or the next one, stands still until pause(false).
  void pause(bool on);

 private:
  Exchange start();

  WorkerCommand command_;
  double lease_seconds_;
  std::mutex mutex_;  // of process_ (the pointer) and what follows
  std::unique_ptr<WorkerProcess> process_;
  bool closed_ = false;
  bool paused_ = false;
};

}  // namespace dovetail
