// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs an operator through the whole of code generation: trace, schedule, program, machine code of
// this CPU or OpenCL C, packed operands. It takes the place of the direct definition in
// tests/support/graph_evaluator.h.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "tests/onnx/onnx_testdata.h"
#include "tests/support/graph_evaluator.h"
#include "tests/support/interpreter.h"

namespace dovetail::testing {

Result<Target> host_cpu();

// The default trace of the operator's space and `samples` random points of it.
Result<std::vector<Trace>> traces_of(const Operator& op, const Target& target, int samples,
                                     uint64_t seed);

// These give what the trace's program computes when LLVM compiles it, and when the interpreter runs
// it.
Result<Floats> run_compiled(const Operator& op, const Operands& operands, const Trace& trace);
Result<Floats> run_interpreted(const Operator& op, const Operands& operands, const Trace& trace);

// Runners for other devices are made of these pieces.
Result<Program> program_of(const Operator& op, const Trace& trace, const Target& target);
// Every buffer has its storage: operands are packed, all else is NaN, so that what no kernel wrote
// shows.
Storage make_storage(const Program& program, const Operands& operands);
Floats read_output(const Program& program, const Storage& storage);

// Cases of Conv, Gemm and MatMul nodes among ONNX's own: their folders.
std::vector<std::string> our_cases();
// Runs every data set of a case, with `runner` for its operators, and compares with what must come
// out; `how` is for messages.
void expect_case(const OnnxCase& one, const std::string& how, const OperatorRunner& runner);

}  // namespace dovetail::testing
