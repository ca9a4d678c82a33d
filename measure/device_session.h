// SPDX-License-Identifier: Apache-2.0
#pragma once

// DeviceSession: one candidate after the other on the run worker: run, check, and only then time.
//
//   MeasureResult result = session.measure(job);
//
// The check is ours and not the worker's: it reads the shared memory that the candidate wrote to,
// after the candidate has ended. A lost worker (killed from outside, not restartable) says nothing
// about the candidate, so that it gets a second try.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/record/line/measure_result.h"
#include "core/record/runner.h"
#include "measure/measure_options.h"
#include "measure/messages.h"
#include "measure/output_check.h"
#include "measure/peak_history.h"
#include "measure/worker_slot.h"

namespace dovetail {

struct DeviceJob {
  const MeasureInput* input = nullptr;
  std::string spec;  // of the input
  std::shared_ptr<const CheckData> data;
  std::shared_ptr<const CheckData> real_data;  // when input->thorough
  Artifact artifact;
  ArenaPlan plan;
  int arena = 0;
  std::span<std::byte> memory;  // that arena, filled with the operands of `data`
};

class DeviceSession {
 public:
  // `alone(true)` returns when nothing else of ours uses the processor, until `alone(false)`: it is
  // called around timing.
  DeviceSession(WorkerSlot& worker, const MeasureOptions& options, std::function<void(bool)> alone)
      : worker_(worker), options_(options), alone_(std::move(alone)) {}

  // Fills status, reason, seconds, samples, errors, and the times of run and check.
  MeasureResult measure(const DeviceJob& job);
  // Measures the machine's peak once more.
  void measure_peak();
  const PeakHistory& peaks() const { return peaks_; }
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  MeasureResult measure_once(const DeviceJob& job);
  MeasureResult measure_again(const DeviceJob& job);
  bool run_and_check(const DeviceJob& job, const CheckData& data, bool load, MeasureResult& result);
  void time(const DeviceJob& job, MeasureResult& result);
  bool is_possible(double fmas, double bytes, double seconds);
  void judge_time(const DeviceJob& job, MeasureResult& result);
  // The reply; one that is a failure is the result's, too. `phase` opens its reason.
  template <typename Reply>
  Reply ask(const Frame& request, double timeout_seconds, const std::string& phase,
            MeasureResult& result);
  double best_seconds(const DeviceJob& job) const;
  double run_timeout(const DeviceJob& job) const;
  TimeRequest time_request(const DeviceJob& job) const;

  WorkerSlot& worker_;
  const MeasureOptions& options_;
  std::function<void(bool)> alone_;
  PeakHistory peaks_;
  std::vector<std::string> warnings_;
  std::map<std::string, double> best_;  // spec -> seconds
  double single_run_seconds_ = 0;       // of the candidate that was just checked
};

}  // namespace dovetail
