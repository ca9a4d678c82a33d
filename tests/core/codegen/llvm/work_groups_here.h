// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kernels of compile_ptx, run on this CPU: the IR that the emitter made, with a thread for each
// work-item of a group, groups one after the other. What LLVM's back end for NVIDIA makes of the IR
// is left to devices; what the nest means is judged here.
//
//   const Storage outputs = TRY(run_work_groups_here(program, target, inputs));

#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "tests/support/interpreter.h"

namespace dovetail::testing {

// A device of NVIDIA with the limits of `device`.
Target ptx_target(Target device);

// Elements of all outputs, from those of inputs and, as NaN, of outputs. The program is compiled to
// PTX, too. Fails if a guard zone around a buffer changes.
Result<Storage> run_work_groups_here(const Program& program, const Target& target,
                                     const Storage& inputs);

}  // namespace dovetail::testing
