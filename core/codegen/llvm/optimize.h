// SPDX-License-Identifier: Apache-2.0
//
// optimize_kernels: the passes between the emitter of nests and LLVM's code generator.
//
//   TRY(attempt(made, [&] { optimize_kernels(*made); }));
//
// Addresses are emitted at their loops, and bodies unrolled and vectorized as the nest says, so
// that a quarter of O1 is left to do, in a quarter of its time.
#pragma once

#include <string>

#include "core/codegen/llvm/machine_code.h"

namespace dovetail {

void optimize_kernels(MachineModule& made);

// The module as text.
std::string print_ir(const MachineModule& made);

}  // namespace dovetail
