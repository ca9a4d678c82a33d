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

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

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

// DraftedCandidates: what a strategy's scorers lowered, until the proposer asks for it:
//
//   DraftedCandidates drafted(by_lowering(space));
//   ModelScorer scorer(drafted.keeping(), cost_model);   // lowers 64 candidates for a round of 16
//   drafted.take(trace)                                  // one of the 16: not lowered again
//
// Lowering is the larger part of what a strategy takes beside a device, and what is measured was
// looked at just before. The latest kMostKept are kept: those of a round, some megabytes.
class DraftedCandidates {
 public:
  static constexpr size_t kMostKept = 128;

  explicit DraftedCandidates(MakeCandidate make) : make_(std::move(make)) {}

  // Makes candidates, on any thread, and keeps a copy of each; this outlives it.
  MakeCandidate keeping();
  // No value: it was never made, or too long ago, or taken already.
  std::optional<Candidate> take(const KeyedTrace& trace);

 private:
  void keep(uint64_t key, const Candidate& candidate);

  MakeCandidate make_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, Candidate> kept_;  // by the key of the trace
  std::deque<uint64_t> order_;                    // the oldest first
};

}  // namespace dovetail
