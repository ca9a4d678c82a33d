// SPDX-License-Identifier: Apache-2.0
#pragma once

// WorkerSlot: keeps a worker available: starts one if there is none, and another after the last one
// died. `Exchange` reports the fate of a request; only `unavailable` is not the candidate's fault.
//
//   WorkerSlot slot(command, 30);
//   const Exchange built = slot.exchange(encode(request), 30);

#include <memory>
#include <mutex>

#include "measure/supervisor/worker_process.h"

namespace dovetail {

class WorkerSlot {
 public:
  // `lease_seconds`: limit on the time until a new worker is ready (has its device).
  WorkerSlot(WorkerCommand command, double lease_seconds)
      : command_(std::move(command)), lease_seconds_(lease_seconds) {}

  // Must be called from one thread only: the workers die with that thread.
  Exchange exchange(const Frame& request, double timeout_seconds);
  // Ends the worker; the next exchange starts another.
  void renew();
  // Thread-safe: ends the worker; no other one is started.
  void close();
  // Thread-safe: stops the worker, or the next one, until pause(false).
  void pause(bool on);

 private:
  Exchange start();

  WorkerCommand command_;
  double lease_seconds_;
  std::mutex mutex_;  // guards process_ (the pointer) and all below
  std::unique_ptr<WorkerProcess> process_;
  bool closed_ = false;
  bool paused_ = false;
};

}  // namespace dovetail
