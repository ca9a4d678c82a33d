// SPDX-License-Identifier: Apache-2.0
#pragma once

// MeasuringHost: measures candidates on a device of this machine, in the measuring process
// (`dovetail-worker --role measure`), which no candidate runs in.
//
//   auto host = TRY(MeasuringHost::start(target, options, {}));
//   host->submit({.input = input, .program = text});
//   const std::optional<MeasureReply> reply = host->wait();     // in the order of submission
//
//   submit ─► build ─► pack operands ─► run, check, time ─► wait
//             core 0   core 0            core 1
//             core 1, while nothing is ready to run
//
// Builds run ahead of runs, so that neither waits for the other, and operands of the next candidate
// are packed while this one is timed. During timing the run worker has its core (the last ones) to
// itself: this process, and all else that it starts, stays off it, and a guest that builds there is
// paused. (Building a small candidate takes five times as long as timing it, so that without guests
// the run worker's core is mostly idle.) If the target's threads need every core, builds pause
// during timing.
//
// Every failure is a status of the result (core/record/line/measure_result.h); nothing that a
// candidate does ends the host.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/cores.h"
#include "core/base/result.h"
#include "core/ir/target.h"
#include "measure/host/device_session.h"
#include "measure/host/job_queue.h"
#include "measure/host/scratch_folder.h"
#include "measure/messages/measure_messages.h"
#include "measure/reference/check_data.h"
#include "measure/runner/measure_options.h"
#include "measure/supervisor/worker_slot.h"
#include "measure/transport/shared_memory.h"
#include "measure/worker/faults.h"

namespace dovetail {

class MeasuringHost {
 public:
  // Pins the calling thread, and all that it starts, to the cores that nothing is timed on. The
  // workers are processes of this program, with `faults`.
  static Result<std::unique_ptr<MeasuringHost>> start(const Target& target,
                                                      const MeasureOptions& options,
                                                      const Faults& faults);
  ~MeasuringHost();

  void submit(Job job) { queue_.submit(std::move(job)); }
  // The oldest candidate's; blocks until it is ready. Empty after close().
  std::optional<MeasureReply> wait();
  // Ends all workers, and with them what is in flight.
  void close();

 private:
  MeasuringHost(const Target& target, const MeasureOptions& options, const Faults& faults,
                CoreSplit cores, ScratchFolder scratch);
  void start_build_workers(const std::string& program);
  Result<void> start_run_worker(const std::string& program);
  void start_threads();

  void build_loop(WorkerSlot& worker, bool guest);
  bool build_next(WorkerSlot& worker, bool guest);  // false: the queue is closed
  void alone(bool on);
  void pack_loop();
  void run_loop();
  void build(Job& job, WorkerSlot& worker);
  JobStep pack(Job& job);
  Result<void> prepare(Job& job);

  Target target_;
  MeasureOptions options_;
  Faults faults_;
  CoreSplit cores_;
  ScratchFolder scratch_;
  JobQueue queue_;
  std::vector<SharedMemory> arenas_;
  CheckDataCache data_;
  std::vector<std::unique_ptr<WorkerSlot>> build_workers_;
  std::vector<std::unique_ptr<WorkerSlot>> guests_;  // build workers on the run worker's cores
  std::mutex first_builds_;  // where a driver opens contexts one after the other
  std::unique_ptr<WorkerSlot> run_worker_;
  std::unique_ptr<DeviceSession> session_;  // used by run_loop() only
  std::mutex report_mutex_;                 // guards the two below
  double peak_gflops_ = 0;
  std::vector<std::string> warnings_;
  std::vector<std::thread> threads_;
};

}  // namespace dovetail
