// SPDX-License-Identifier: Apache-2.0
#pragma once

// JobQueue: the candidates in flight, in the order of submission, and the steps that each may take.
//
//   queued ─► building ─► built ─► packing ─► packed ─► running ─► done
//
// Building takes any queued candidate; packing and running go strictly in order, so that results
// do, too. A guest (a builder on the cores where candidates run) takes one only while the device is
// starved: where runs take longer than builds, it would only be paused in the middle and delay the
// rest. `alone` blocks building and packing while a program that needs all physical cores is timed.

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/record/runner.h"
#include "measure/host/device_session.h"
#include "measure/messages/measure_messages.h"

namespace dovetail {

enum class JobStep { queued, building, built, packing, packed, running, done };

struct Job {
  MeasureInput input;   // the buffers of its program are read while packing; no kernel is needed
  std::string program;  // as text
  LeastWork work = {};
  std::shared_ptr<const NamedArrays> own_operands = {};  // the region's, if it has any
  JobStep stage = JobStep::queued;
  DeviceJob device = {};
  bool has_arena = false;
  MeasureResult result = {};
};

class JobQueue {
 public:
  explicit JobQueue(int arenas);

  void submit(Job job);
  // The oldest one's result; blocks until it is ready. Empty if the queue is closed.
  std::optional<MeasureResult> wait();

  // Block until there is such a job; null if the queue is closed.
  Job* take_queued();
  Job* take_queued_when_starved();  // only while no built job waits for the device
  Job* take_built();                // assigns an arena: job->device.arena
  Job* take_packed();
  // Ends the step; `next` = done frees the arena.
  void finish(Job& job, JobStep next);
  // Returns when no job is being built or packed, and keeps it so until alone(false).
  void alone(bool on);
  void close();

 private:
  enum class Order { any, oldest_first, when_starved };
  Job* first_before(JobStep stage);
  Job* find(JobStep from, JobStep to, Order order);
  Job* take(JobStep from, JobStep to, Order order);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Job>> jobs_;
  std::vector<int> free_arenas_;
  int busy_ = 0;  // jobs being built or packed
  bool alone_ = false;
  bool closed_ = false;
};

}  // namespace dovetail
