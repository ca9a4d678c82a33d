// SPDX-License-Identifier: Apache-2.0
#pragma once

// Candidate: a trace of a task, lowered: what can be scored, built and measured.
//
//   materialize(op, target, trace)     apply -> lower; or why the trace is illegal
//
// An illegal trace is an ordinary outcome of a search: it is counted as rejected and never reaches
// a builder.

#include "core/base/result.h"
#include "core/ir/operator.h"
#include "core/ir/program.h"
#include "core/ir/target.h"
#include "core/ir/trace.h"

namespace dovetail {

struct Candidate {
  Trace trace;
  Program program;
};

Result<Candidate> materialize(const Operator& op, const Target& target, const Trace& trace);

}  // namespace dovetail
