// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_here: builds a program and runs it in this process.
//
//   const RunHere run = TRY(run_here(program, target, inputs));
//   run.outputs.at("Y")     elements in logical order
//   run.seconds             of the one run; with a rule of timing, the median of as many as it asks
//
// For `dovetail run` and for tests: campaigns measure in processes of their own (local_runner.h),
// which may crash. The memory has the guard zones of a measurement, and a write into one is an
// error.

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "core/ir/value/named_arrays.h"
#include "measure/timing.h"

namespace dovetail {

struct RunHere {
  NamedArrays outputs;
  std::vector<double> samples = {};  // seconds of each run; one without a timing rule
  double seconds = 0;                // their median
};

// `inputs` and the outputs are in logical order. The error names a tensor that is missing or has a
// different number of elements.
Result<RunHere> run_here(const Program& program, const Target& target, const NamedArrays& inputs,
                         const std::optional<TimingRule>& timing = std::nullopt);

}  // namespace dovetail
