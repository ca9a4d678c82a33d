// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runner: measures candidates. A search sees this of a device, and nothing else.
//
//   while (budget_left()) {
//     while (runner.in_flight() < ahead) runner.submit(next_candidate());   // returns at once
//     record(runner.wait());                                // the result of the oldest one
//   }
//
// submit and wait are apart so that building the next candidates overlaps with running this one,
// and results come in the order of submission, whichever build was ready first: with the same seed
// and the same results a search then proposes the same candidates, however many builders there are.
// The interface lives with the records because a search must not know who answers: workers on this
// machine, on another one, or a log (measure/ and search/compare/ implement it).

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/ir/program/program.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "core/record/line/measure_result.h"

namespace dovetail {

struct MeasureInput {
  int64_t trial = 0;   // its number in the campaign and task; in messages only
  TaskSpec spec;       // its region decides operands and what the outputs are checked against
  std::string target;  // resolved, as records have it
  Trace trace;         // what a log answers by
  Program program;     // what a device runs
  // The best time so far, 0 when there is none: repeats may end early once this one is clearly
  // slower.
  double best_seconds = 0;
  // A finalist or a replay: check on real data, too, and take all the samples it needs.
  bool thorough = false;
  // Measured though a log knows a result: a sentinel, a finalist.
  bool fresh = false;
  // The same program as the last input had, which was measured: only time it once more. So two
  // libraries are timed in turn, without building and checking in between.
  bool again = false;
};

class Runner {
 public:
  virtual ~Runner() = default;

  // Takes a candidate; never blocks on the device.
  virtual void submit(MeasureInput input) = 0;
  // The oldest candidate's result; blocks until it is there. A CHECK when none is in flight.
  virtual MeasureResult wait() = 0;
  virtual size_t in_flight() const = 0;
};

}  // namespace dovetail
