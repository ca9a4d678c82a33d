// SPDX-License-Identifier: Apache-2.0
#pragma once

// LocalRunner: measures candidates on a device of this machine.
//
//   const auto runner = TRY(make_local_runner(target, {}));
//   runner->submit({.trial = 1, .op = op, .program = program});
//   const MeasureResult result = runner->wait();
//
//   submit ─► build ─► pack operands ─► run, check, time ─► wait
//             core 0   core 0            core 1
//             core 1, while nothing is ready to run
//
// Builds run ahead of runs, so that neither waits for the other, and operands of the next candidate
// are packed while this one is timed. While it times, the run worker has its core (the last ones)
// to itself: the thread that makes the runner, and all that it starts, stay off it as long as the
// runner lives, and a guest that builds there stands still. (Building a small candidate takes five
// times as long as timing it, so that without guests the run worker's core is idle mostly.)
// When the target's threads need every core, builds pause while something is timed.
//
// Every way to fail is a status of the result (core/record/line/measure_result.h); nothing that a
// candidate does ends the runner.

#include <memory>
#include <string>
#include <vector>

#include "core/base/cores.h"
#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/record/runner.h"
#include "measure/measure_options.h"

namespace dovetail {

class LocalRunner : public Runner {
 public:
  // FMA peak of the threads used, median of all measurements so far (one every `peak_every`
  // trials); 0 before the first and for devices that do not say.
  virtual double peak_gflops() const = 0;
  // Warnings for the user about these measurements, one line each: handed out once.
  virtual std::vector<std::string> take_warnings() = 0;
};

// The cores that candidates of a target are timed on, and the others, of those that the calling
// thread may use. The error says that there are too few.
Result<CoreSplit> cores_for(const Target& target);

// The error says what is missing: the worker program, or cores for the target's threads.
Result<std::unique_ptr<LocalRunner>> make_local_runner(const Target& target,
                                                       const MeasureOptions& options);

}  // namespace dovetail
