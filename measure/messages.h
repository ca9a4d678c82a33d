// SPDX-License-Identifier: Apache-2.0
#pragma once

// The messages between the tuner and its workers, one struct each way; frames carry them.
//
//   any worker     hello() -> its echo         once, as soon as it is ready
//   build worker   BuildRequest -> BuildReply
//   run worker     RunRequest -> RunReply      loads the artifact and runs it once, then, when the
//                  TimeRequest -> TimeReply    tuner has checked the output, times it
//                  PeakRequest -> PeakReply
//
// Every reply has a status: a worker that could not do what was asked says why and lives on.
// decode_* gives an error for a frame of another type, or a missing or wrong field: what comes from
// a worker that ran a candidate is not to be trusted.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/measure_result.h"
#include "measure/arena_plan.h"
#include "measure/frame.h"
#include "measure/timing.h"

namespace dovetail {

// A program in the form that its device runs.
struct Artifact {
  std::string bytes = {};                 // cpu: a relocatable object; opencl: the device's binary
  std::vector<std::string> kernels = {};  // entry points in launch order
  std::vector<int64_t> extents = {};      // cpu: of each kernel's parallel loop
  int64_t kernels_once = 0;               // so many of the first ones prepare constants: not timed
  std::string program = {};   // opencl: printed, for the buffers that the run worker allocates
  std::string launches = {};  // opencl: of each kernel (measure/worker/opencl_launches.h)
  friend bool operator==(const Artifact&, const Artifact&) = default;
};

struct BuildRequest {
  int64_t trial = 0;
  std::string target = {};   // print(Target)
  std::string program = {};  // print(Program)
  friend bool operator==(const BuildRequest&, const BuildRequest&) = default;
};

struct BuildReply {
  Status status = Status::ok;  // or build_error, device_limit
  std::string reason = {};
  double seconds = 0;
  Artifact artifact = {};
  friend bool operator==(const BuildReply&, const BuildReply&) = default;
};

struct RunRequest {
  int64_t trial = 0;
  bool load = true;  // false: the artifact is the one of the last request, and is not sent again
  int arena = 0;     // which of the shared memories holds the operands
  ArenaPlan plan = {};
  Artifact artifact = {};
  friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

struct RunReply {
  Status status = Status::ok;  // or run_error, device_limit
  std::string reason = {};
  double seconds = 0;  // of this one run
  friend bool operator==(const RunReply&, const RunReply&) = default;
};

struct TimeRequest {
  TimingRule rule = {};
  bool cold = false;  // operands out of the caches before every run
  friend bool operator==(const TimeRequest&, const TimeRequest&) = default;
};

struct TimeReply {
  Status status = Status::ok;
  std::string reason = {};
  std::vector<double> samples = {};  // seconds per run of the whole program
  friend bool operator==(const TimeReply&, const TimeReply&) = default;
};

struct PeakRequest {
  bool bandwidth = false;  // measure that of the first-level cache, too
  friend bool operator==(const PeakRequest&, const PeakRequest&) = default;
};

struct PeakReply {
  double fma_gflops = 0;           // of the threads used; 0: this device does not say
  double l1_bytes_per_second = 0;  // the same
  friend bool operator==(const PeakReply&, const PeakReply&) = default;
};

Frame hello();
Frame encode(const BuildRequest& message);
Frame encode(const BuildReply& message);
Frame encode(const RunRequest& message);
Frame encode(const RunReply& message);
Frame encode(const TimeRequest& message);
Frame encode(const TimeReply& message);
Frame encode(const PeakRequest& message);
Frame encode(const PeakReply& message);

Result<std::string> type_of(const Frame& frame);  // "hello", "build", "run", "time", "peak"
Result<BuildRequest> decode_build_request(const Frame& frame);
Result<BuildReply> decode_build_reply(const Frame& frame);
Result<RunRequest> decode_run_request(const Frame& frame);
Result<RunReply> decode_run_reply(const Frame& frame);
Result<TimeRequest> decode_time_request(const Frame& frame);
Result<TimeReply> decode_time_reply(const Frame& frame);
Result<PeakRequest> decode_peak_request(const Frame& frame);
Result<PeakReply> decode_peak_reply(const Frame& frame);

}  // namespace dovetail
