// SPDX-License-Identifier: Apache-2.0
#pragma once

// MeasureResult: the outcome of measuring one candidate on a device: its time, or why it has none.
//
//   MeasureResult{.status = Status::ok, .seconds = 0.00085, .samples = {0.00086, 0.00085, 0.00084}}
//   MeasureResult{.status = Status::timeout, .reason = "run took longer than 2.0 s"}
//
// A failed candidate is a result and not an error: half of a search's proposals may crash, hang or
// be wrong, and the search learns from that. Each kind of failure has its own status, because "it
// did not work" cannot be acted on.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

enum class Status {
  ok,             // built, ran, right, timed
  build_error,    // the code generator or the device's compiler refused it, or the build worker
                  // crashed
  run_error,      // the run crashed, called exit() or the device reported an error
  timeout,        // the build or the run took longer than allowed
  wrong_output,   // ran, and what it computed differs from the reference
  out_of_bounds,  // wrote into a guard zone around its buffers
  device_limit,  // needs more of something (local memory, image extent, work-items) than the device
                 // has
  impossible,    // faster than the device can be: the measurement or the program is wrong
  worker_lost,   // the worker could not be reached or restarted; says nothing about the candidate
};

inline constexpr std::array kStatuses = {
    Status::ok,           Status::build_error,  Status::run_error,
    Status::timeout,      Status::wrong_output, Status::out_of_bounds,
    Status::device_limit, Status::impossible,   Status::worker_lost,
};

std::string_view print(Status status);
Result<Status> parse_status(std::string_view text);
// For fields of this type (core/record/line/fields.h).
inline Result<Status> parse_word(std::string_view text, std::type_identity<Status>) {
  return parse_status(text);
}

// The tuner's time for this candidate, by phase.
struct MeasureTimes {
  double build_seconds = 0;
  double run_seconds = 0;     // on the device: warm-up and every repeat
  double check_seconds = 0;   // comparing with the reference
  double search_seconds = 0;  // proposing and lowering
  double model_seconds = 0;   // the cost model: features, training, prediction
  MeasureTimes& operator+=(const MeasureTimes& other);
  friend bool operator==(const MeasureTimes&, const MeasureTimes&) = default;
};
double total(const MeasureTimes& times);  // in seconds

struct MeasureResult {
  Status status = Status::worker_lost;
  std::string reason;           // one line; empty when ok
  double seconds = 0;           // median of the samples; 0 when there are none
  std::vector<double> samples;  // seconds per run of the whole program
  double max_abs_error = 0;
  double max_rel_error = 0;  // max |y - ref| / sum |x * w|
  // On real data: max |y - ref| over the range of ref; none where it was checked on integers only.
  std::optional<double> range_error = {};
  int64_t workspace_bytes = 0;  // temporaries between the program's kernels
  MeasureTimes times;
  // True where no candidate can be measured now: not to be recorded; `reason` has the cause.
  bool no_device = false;
  friend bool operator==(const MeasureResult&, const MeasureResult&) = default;
};

// Several measurements of one candidate merged into one: all samples and their median, the largest
// errors, the first failure. Precondition: at least one.
MeasureResult pooled(std::vector<MeasureResult> passes);

}  // namespace dovetail
