// SPDX-License-Identifier: Apache-2.0
#pragma once

// The messages between the measuring process and its workers, one struct each way; frames carry
// them. (measure_messages.h has those between it and the tuner.)
//
//   any worker     hello() -> its echo         once, as soon as it is ready
//   build worker   BuildRequest -> BuildReply
//   run worker     RunRequest -> RunReply      loads the executable, runs it once; when the
//                  TimeRequest -> TimeReply    output was found right, times it
//                  PeakRequest -> PeakReply
//
// Every reply has a status: a worker that could not do what was asked replies with the reason and
// goes on. encode and decode come from measure/transport/frame.h: messages from a worker that ran a
// candidate are untrusted.

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/caches.h"
#include "core/record/line/measure_result.h"
#include "core/runtime/executable.h"
#include "measure/check/arena_plan.h"
#include "measure/timing.h"
#include "measure/transport/frame.h"

namespace dovetail {

struct BuildRequest {
  static constexpr const char* kType = "build";
  int64_t trial = 0;
  std::string target = {};   // print(Target)
  std::string program = {};  // print(Program)
  friend bool operator==(const BuildRequest&, const BuildRequest&) = default;
};

struct BuildReply {
  static constexpr const char* kType = "built";
  Status status = Status::ok;  // or build_error, device_limit
  std::string reason = {};
  double seconds = 0;
  Executable executable = {};  // no placed buffers
  friend bool operator==(const BuildReply&, const BuildReply&) = default;
};

struct RunRequest {
  static constexpr const char* kType = "run";
  int64_t trial = 0;
  bool load = true;  // false: the executable is that of the last request, and is not sent again
  int arena = 0;     // index of the shared memory with the operands
  ArenaPlan plan = {};
  Executable executable = {};
  friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

struct RunReply {
  static constexpr const char* kType = "ran";
  Status status = Status::ok;  // or run_error, device_limit
  std::string reason = {};
  double seconds = 0;  // one run
  friend bool operator==(const RunReply&, const RunReply&) = default;
};

struct TimeRequest {
  static constexpr const char* kType = "time";
  TimingRule rule = {};
  Caches caches = Caches::hot;  // state before every run
  friend bool operator==(const TimeRequest&, const TimeRequest&) = default;
};

struct TimeReply {
  static constexpr const char* kType = "timed";
  Status status = Status::ok;
  std::string reason = {};
  std::vector<double> samples = {};  // seconds per run of the whole program
  friend bool operator==(const TimeReply&, const TimeReply&) = default;
};

struct PeakRequest {
  static constexpr const char* kType = "peak";
  bool bandwidth = false;  // also measure the first-level cache's
  friend bool operator==(const PeakRequest&, const PeakRequest&) = default;
};

struct PeakReply {
  static constexpr const char* kType = "peaked";
  double fma_gflops = 0;           // all threads used; 0: the device has no figure
  double l1_bytes_per_second = 0;  // the same
  friend bool operator==(const PeakReply&, const PeakReply&) = default;
};

auto fields_of(Of<BufferPlace> auto& place) {
  return std::tie(place.offset, place.bytes, place.role);
}

auto fields_of(Of<Launch> auto& kernel) {
  return std::tie(kernel.name, kernel.extent, kernel.global[0], kernel.global[1], kernel.global[2],
                  kernel.local[0], kernel.local[1], kernel.local[2], kernel.buffers, kernel.written,
                  kernel.waits_itself, kernel.local_bytes);
}

auto fields_of(Of<ExecutableBuffer> auto& buffer) {
  return std::tie(buffer.name, buffer.type, buffer.scope, buffer.shape);
}

// A measured program's: the code is a message's payload.
auto fields_of(Of<Executable> auto& executable) {
  return std::tuple(Field{"buffers", executable.buffers}, Field{"form", executable.code.form},
                    Field{"launches", executable.code.launches},
                    Field{"preparing_launches", executable.preparing_launches});
}

auto fields_of(Of<BuildRequest> auto& message) {
  return std::tuple(Field{"trial", message.trial}, Field{"target", message.target});
}

auto fields_of(Of<BuildReply> auto& message) {
  return std::tuple_cat(std::tuple(Field{"status", message.status}, Field{"reason", message.reason},
                                   Field{"seconds", message.seconds}),
                        fields_of(message.executable));
}

auto fields_of(Of<RunRequest> auto& message) {
  return std::tuple_cat(
      std::tuple(Field{"trial", message.trial}, Field{"load", message.load},
                 Field{"arena", message.arena}, Field{"arena_bytes", message.plan.bytes},
                 Field{"places", message.plan.places}),
      fields_of(message.executable));
}

auto fields_of(Of<RunReply> auto& message) {
  return std::tuple(Field{"status", message.status}, Field{"reason", message.reason},
                    Field{"seconds", message.seconds});
}

auto fields_of(Of<TimingRule> auto& rule) {
  return std::tuple(
      Field{"warmup_seconds", rule.warmup_seconds}, Field{"sample_seconds", rule.sample_seconds},
      Field{"budget_seconds", rule.budget_seconds},
      Field{"most_wall_seconds", rule.most_wall_seconds},
      Field{"relative_half_width", rule.relative_half_width},
      Field{"least_samples", rule.least_samples}, Field{"most_samples", rule.most_samples},
      Field{"best_seconds", rule.best_seconds}, Field{"clearly_slower", rule.clearly_slower});
}

auto fields_of(Of<TimeRequest> auto& message) {
  return std::tuple(Field{"caches", message.caches}, Field{"rule", message.rule});
}

auto fields_of(Of<TimeReply> auto& message) {
  return std::tuple(Field{"status", message.status}, Field{"reason", message.reason},
                    Field{"samples", message.samples});
}

auto fields_of(Of<PeakRequest> auto& message) {
  return std::tuple(Field{"bandwidth", message.bandwidth});
}

auto fields_of(Of<PeakReply> auto& message) {
  return std::tuple(Field{"fma_gflops", message.fma_gflops},
                    Field{"l1_bytes_per_second", message.l1_bytes_per_second});
}

// A message's payload follows its fields.
auto& payload_of(Of<BuildRequest> auto& message) { return message.program; }
auto& payload_of(Of<BuildReply> auto& message) { return message.executable.code.objects; }
auto& payload_of(Of<RunRequest> auto& message) { return message.executable.code.objects; }

// All buffers lie inside the arena, with room for guard zones, and are those of the executable.
Result<void> check(const RunRequest& message);

Frame hello();
Result<std::string> type_of(const Frame& frame);  // "hello", "build", "run", "time", "peak"

}  // namespace dovetail
