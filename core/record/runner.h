// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runner: measures candidates. This interface is all that a search knows of a device.
//
//   while (budget_left()) {
//     while (runner.in_flight() < ahead) runner.submit(next_candidate());   // returns at once
//     record(runner.wait());                                // the result of the oldest one
//   }
//
// submit and wait are separate so that building the next candidates overlaps with running this one.
// Results come in the order of submission, whichever build finishes first, so that a search is
// deterministic for a given seed and results, however many builders there are. The interface is in
// this folder because a search must not depend on who answers: workers on this machine, on another
// one, or a log (measure/ and search/compare/ implement it).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "core/record/line/measure_result.h"

namespace dovetail {

enum class Purpose {
  trial,      // a log that has its result may answer
  remeasure,  // always on the device: a sentinel, another pass over a finalist
  confirm,    // a finalist or a replay: checked on real data, too, with as many samples as needed
  retime,     // the program of the last input, which was measured: only timed once more, as
              // precisely. Two libraries are timed in turn without building and checking in between
};
std::string_view print(Purpose purpose);
Result<Purpose> parse_purpose(std::string_view text);
// For fields of this type (core/record/line/fields.h).
inline Result<Purpose> parse_word(std::string_view text, std::type_identity<Purpose>) {
  return parse_purpose(text);
}
// For a candidate's fields. A spec is read with the names of its text, which are its program's.
Result<KeyedTask> parse_word(std::string_view text, std::type_identity<KeyedTask>);
inline Result<Trace> parse_word(std::string_view text, std::type_identity<Trace>) {
  return parse_trace(text);
}

struct MeasureInput {
  int64_t trial = 0;   // number in the campaign and task; for messages only
  KeyedTask spec;      // its region determines the operands and the reference outputs
  std::string target;  // resolved, as in records
  Trace trace;         // the key by which a log answers
  Program program;     // the program that a device runs
  uint64_t seed = 0;   // determines the operands
  // The best time so far, 0 when there is none: repeats may stop early once this candidate is
  // clearly slower.
  double best_seconds = 0;
  Purpose purpose = Purpose::trial;
  friend bool operator==(const MeasureInput&, const MeasureInput&) = default;
};

// Enough to choose from, and to keep a device busy while the search learns.
inline constexpr size_t kDeviceCapacity = 16;

class Runner {
 public:
  virtual ~Runner() = default;

  // Queues a candidate; never blocks on the device.
  virtual void submit(MeasureInput input) = 0;
  // The oldest candidate's result; blocks until it is ready. Precondition: one is in flight.
  virtual MeasureResult wait() = 0;
  virtual size_t in_flight() const = 0;
  // Candidates that are worth submitting together: a search proposes as many in a round, while as
  // many are in flight. One device has kDeviceCapacity, several have that much each.
  virtual size_t capacity() const { return kDeviceCapacity; }
};

}  // namespace dovetail
