// SPDX-License-Identifier: Apache-2.0
#pragma once

// LocalRunner: measures candidates on a device of this machine.
//
//   const auto runner = TRY(make_local_runner(target, {}));
//   runner->submit({.trial = 1, .spec = spec, .trace = trace, .program = program});
//   const MeasureResult result = runner->wait();
//
// Each candidate is one message to a measuring process, which builds, runs, checks and times it
// (measure/host/measuring_host.h), and its result is one message back. This process packs nothing
// and compares nothing. Should the measuring process die, another is started and asked again.
//
// Every failure is a status of the result (core/record/line/measure_result.h); nothing that a
// candidate does ends the runner.

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/record/runner.h"
#include "measure/runner/measure_options.h"

namespace dovetail {

// Must be used by the thread that made it, with which the measuring process ends.
class LocalRunner : public Runner {
 public:
  // FMA peak of the threads used, the median of all measurements so far (one every `peak_every`
  // trials); 0 before the first one and for devices without a figure.
  virtual double peak_gflops() const = 0;
  // Warnings for the user about these measurements, one line each; each is returned once.
  virtual std::vector<std::string> take_warnings() = 0;
};

// Fails without the worker program, or with too few cores for the target's threads.
Result<std::unique_ptr<LocalRunner>> make_local_runner(const Target& target,
                                                       const MeasureOptions& options);

}  // namespace dovetail
