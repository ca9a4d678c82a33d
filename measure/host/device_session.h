// SPDX-License-Identifier: Apache-2.0
#pragma once

// DeviceSession: measures one candidate after the other on the run worker: run, check, then time.
//
//   MeasureResult result = session.measure(job);
//
// This process checks, not the worker: it reads the shared memory that the candidate wrote, after
// the candidate has ended, and while it is timed where that takes no core of this host. A lost
// worker (killed from outside, not restartable) tells nothing about the candidate, which gets a
// second try. After a run that failed, the next candidate gets another worker: an access beyond a
// buffer costs a GPU's process its context, and every run after it.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record/line/measure_result.h"
#include "core/record/runner.h"
#include "measure/check/output_check.h"
#include "measure/messages/measure_messages.h"
#include "measure/messages/worker_messages.h"
#include "measure/runner/measure_options.h"
#include "measure/supervisor/worker_slot.h"

namespace dovetail {

// PeakHistory: the FMA peak as measured along a campaign, and the lower bound it sets on times.
//
//   history.add({.fma_gflops = 288, .l1_bytes_per_second = 5.2e11});
//   history.fma_gflops()                         // the median of all measurements
//   history.least_seconds({fmas, bytes})         // no program that does this much is faster
//
// A neighbour on the machine, or its clock, moves the peak: a move over 5 % is a warning, because
// percentages within a campaign are then not comparable.

class PeakHistory {
 public:
  // A warning if this measurement is more than 5 % off the median of the earlier ones, and twice as
  // far as any that was warned of: a shared machine would repeat it every few trials.
  std::optional<std::string> add(const PeakReply& peak);
  double fma_gflops() const;  // 0: none yet, or the device has no figure
  // 0 if there is no measurement.
  double least_seconds(const LeastWork& work) const;

 private:
  std::vector<double> gflops_;
  double largest_move_ = 0;         // that was warned of, as a fraction
  double l1_bytes_per_second_ = 0;  // the fastest
};

struct DeviceJob {
  const MeasureInput* input = nullptr;
  std::string spec;  // the input's, as text
  LeastWork work;
  std::vector<std::shared_ptr<const CheckData>> data;  // by data_kinds_of(*input)
  Executable executable;
  ArenaPlan plan;
  int arena = 0;
  std::span<std::byte> memory;  // that arena, filled with the operands of the first data
};

struct CheckedOutput {
  OutputCheck check;
  double seconds = 0;  // that checking took
};

class DeviceSession {
 public:
  // `alone(true)` returns when no other work of this process uses the processor, until
  // `alone(false)`; it is called around timing.
  // `is_this_host`: programs run on cores of this host.
  DeviceSession(WorkerSlot& worker, const MeasureOptions& options, bool is_this_host,
                std::function<void(bool)> alone)
      : worker_(worker), options_(options), is_this_host_(is_this_host), alone_(std::move(alone)) {}

  // Fills status, reason, seconds, samples, errors, and the times of run and check.
  MeasureResult measure(const DeviceJob& job);
  // Adds a measurement of the machine's peak.
  void measure_peak();
  const PeakHistory& peaks() const { return peaks_; }
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  MeasureResult measure_once(const DeviceJob& job);
  MeasureResult measure_again(const DeviceJob& job);
  bool run(const DeviceJob& job, bool load, MeasureResult& result);
  bool judge_output(const DeviceJob& job, const CheckData& data, const CheckedOutput& checked,
                    MeasureResult& result);
  void time(const DeviceJob& job, MeasureResult& result);
  void time_while_checking(const DeviceJob& job, const CheckData& data, MeasureResult& result);
  bool take_samples(const DeviceJob& job, MeasureResult& result);
  bool is_possible(const LeastWork& work, double seconds);
  void judge_time(const DeviceJob& job, MeasureResult& result);
  // Stores a reply's failure in `result`, too; `phase` is put in front of its reason.
  template <typename Reply>
  Reply ask(const Frame& request, double timeout_seconds, const std::string& phase,
            MeasureResult& result);
  double best_seconds(const DeviceJob& job) const;
  double run_timeout(const DeviceJob& job) const;
  TimeRequest time_request(const DeviceJob& job) const;

  WorkerSlot& worker_;
  const MeasureOptions& options_;
  bool is_this_host_;
  std::function<void(bool)> alone_;
  PeakHistory peaks_;
  std::vector<std::string> warnings_;
  std::map<std::string, double> best_;  // spec -> seconds
  double single_run_seconds_ = 0;       // candidate that was just checked
};

}  // namespace dovetail
