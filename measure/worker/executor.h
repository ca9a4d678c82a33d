// SPDX-License-Identifier: Apache-2.0
#pragma once

// Executor: how the run worker runs and times a program on a device (core/runtime/device.h).
//
//   executor.load(executable);
//   executor.run_once(arena, plan, seconds);   // operands and output in shared memory: for the
//                                              // check; also prepares constants
//   executor.begin_timing(arena, plan, Caches::hot);  // operands to where they are timed
//   executor.sample(rule);                     // seconds per run of the whole program
//
// Kernels of the host run once on the shared memory itself, and are timed in memory of the worker's
// own. Another device gets the arena's bytes, each buffer with its guard zones, and gives them
// back, so that the tuner sees a stray write in the arena whatever the device is.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/caches.h"
#include "core/runtime/device.h"
#include "measure/messages/worker_messages.h"
#include "measure/timing.h"
#include "measure/worker/cache_state.h"

namespace dovetail {

struct Outcome {
  Status status = Status::ok;
  std::string reason = {};
};
// For a failed result, `status` with the error as its reason; a device's limit has its own.
Outcome outcome_of(const Result<void>& result, Status status = Status::run_error);

class Executor {
 public:
  explicit Executor(std::unique_ptr<Device> device) : device_(std::move(device)) {}

  Outcome load(const Executable& executable);
  // `seconds` is set to the time of the run, without the kernels that prepare constants.
  Outcome run_once(std::span<std::byte> arena, const ArenaPlan& plan, double& seconds);
  // Each run in a sample starts with the caches in the state `caches`.
  Outcome begin_timing(std::span<const std::byte> arena, const ArenaPlan& plan, Caches caches);
  Result<std::vector<double>> sample(TimingRule rule);
  // The host's, if the device runs on it; no figure for others.
  PeakReply peak(const PeakRequest& request);

 private:
  Result<double> sample(int64_t runs);
  Result<double> time(int64_t repetitions);
  Result<void> bind_host(const std::byte* memory, const ArenaPlan& plan);
  Result<void> allocate_on_device();
  Result<void> send(std::span<std::byte> arena, const ArenaPlan& plan);
  Result<void> fetch(std::span<std::byte> arena, const ArenaPlan& plan);

  std::unique_ptr<Device> device_;
  std::unique_ptr<LoadedCode> code_;
  std::vector<ExecutableBuffer> buffers_;    // the loaded program takes these
  size_t launches_once_ = 0, launches_ = 0;  // all of them, with those that run once in front
  std::vector<NDArray> guarded_;             // by buffer, on a device with memory of its own
  NDArray timed_;  // the host's operands while they are timed; kept, and grown
  CacheState caches_;
};

}  // namespace dovetail
