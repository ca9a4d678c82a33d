// SPDX-License-Identifier: Apache-2.0
#pragma once

// MeasureResult: what became of one candidate on a device: its time, or why it has none.
//
//   MeasureResult{.status = Status::ok, .seconds = 0.00085, .samples = {0.00086, 0.00085, 0.00084}}
//   MeasureResult{.status = Status::timeout, .reason = "run took longer than 2.0 s"}
//
// A candidate that fails is a result and not an error: half of what a search proposes may crash,
// hang or be wrong, and that is what the search learns from. Each way to fail has a status of its
// own, because "it did not work" cannot be acted on.

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

// Where the tuner's time went for this candidate.
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
  // On real data: max |y - ref| over the range of ref; none where it was checked on integers alone.
  std::optional<double> range_error = {};
  int64_t workspace_bytes = 0;  // temporaries between the program's kernels
  MeasureTimes times;
  // True where nothing can be measured now, whatever the candidate: it is not to be recorded, and
  // `reason` says why.
  bool no_device = false;
  friend bool operator==(const MeasureResult&, const MeasureResult&) = default;
};

// Several measurements of one candidate as one: the samples of all and their median, the largest
// errors, the first failure. One pass at least.
MeasureResult pooled(std::vector<MeasureResult> passes);

}  // namespace dovetail
