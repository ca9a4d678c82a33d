// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_here: builds a program and runs it once, in this process.
//
//   RegionInputs outputs = TRY(run_here(program, target, inputs));     inputs and outputs by tensor
//
// For `dovetail run` and for tests: what a campaign measures is in processes of its own
// (local_runner.h), which may crash. The memory has the guard zones of a measurement, and a program
// that writes into one is an error.

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

// `inputs` and the result have elements in logical order; a tensor that is missing or has another
// number of elements is an error that names it.
Result<RegionInputs> run_here(const Program& program, const Target& target,
                              const RegionInputs& inputs);

}  // namespace dovetail
