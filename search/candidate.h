// SPDX-License-Identifier: Apache-2.0
#pragma once

// Candidate: a trace of a task, lowered: what can be scored, built and measured.
//
//   materialize(spec, target, trace)   apply -> lower; or why the trace is illegal
//
//   make(trace)                        the same as a function, of one task; or otherwise: from a
//                                      table of what was lowered before (search/compare/)
//
// An illegal trace is an ordinary outcome of a search: it is counted as rejected and never reaches
// a builder.

#include <functional>
#include <memory>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/target.h"
#include "costmodel/cost_models.h"
#include "primitives/space/space.h"
#include "search/keyed_trace.h"

namespace dovetail {

struct Candidate {
  KeyedTrace trace;
  Program program;
  // A cost model sees this; null: it sees the program. With it the program may be empty, where
  // nothing builds it.
  std::shared_ptr<const KnownFeatures> known = {};
};

ModelInput model_input(const Candidate& candidate);

Result<Candidate> materialize(const TaskSpec& spec, const Target& target, const KeyedTrace& trace);

// The candidate of a trace, or why there is none.
using MakeCandidate = std::function<Result<Candidate>(const KeyedTrace&)>;
// By materialize(); the space outlives it.
MakeCandidate by_lowering(const Space& space);

}  // namespace dovetail
