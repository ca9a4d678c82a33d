// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs an operator through the whole of code generation on this CPU: trace, schedule, program,
// machine code, packed operands. It takes the place of the direct definition in
// tests/support/graph_evaluator.h.

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/ir/trace.h"
#include "tests/support/graph_evaluator.h"

namespace dovetail::testing {

// The default trace of the operator's space and `samples` random points of it.
Result<std::vector<Trace>> traces_of(const Operator& op, int samples, uint64_t seed);

// The output that the trace's program computes when LLVM compiles it, or when the interpreter runs it.
Result<Floats> run_compiled(const Operator& op, const Operands& operands, const Trace& trace);
Result<Floats> run_interpreted(const Operator& op, const Operands& operands, const Trace& trace);

}  // namespace dovetail::testing
