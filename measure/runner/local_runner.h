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
// are packed while this one is timed. During timing the run worker has its core (the last ones) to
// itself: the thread that makes the runner, and all that it starts, stay off it for the runner's
// lifetime, and a guest that builds there is paused. (Building a small candidate takes five times
// as long as timing it, so that without guests the run worker's core is mostly idle.) If the
// target's threads need every core, builds pause during timing.
//
// Every failure is a status of the result (core/record/line/measure_result.h); nothing that a
// candidate does ends the runner.

#include <memory>
#include <string>
#include <vector>

#include "core/base/cores.h"
#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/record/runner.h"
#include "measure/runner/measure_options.h"

namespace dovetail {

class LocalRunner : public Runner {
 public:
  // FMA peak of the threads used, the median of all measurements so far (one every `peak_every`
  // trials); 0 before the first one and for devices without a figure.
  virtual double peak_gflops() const = 0;
  // Warnings for the user about these measurements, one line each; each is returned once.
  virtual std::vector<std::string> take_warnings() = 0;
};

// Splits the cores that the calling thread may use into those that time the target's candidates and
// the others. Fails if there are too few.
Result<CoreSplit> cores_for(const Target& target);

// Fails without the worker program, or with too few cores for the target's threads.
Result<std::unique_ptr<LocalRunner>> make_local_runner(const Target& target,
                                                       const MeasureOptions& options);

}  // namespace dovetail
