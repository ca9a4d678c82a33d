// SPDX-License-Identifier: Apache-2.0
#pragma once

// Candidate: a trace and the program that it lowers to, to be scored, built and measured.
//
//   materialize(spec, target, trace)   apply -> lower; or why the trace is illegal
//
//   make(trace)                        the same as a function object of one task; it may read a
//                                      table of candidates lowered before (search/compare/)
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
  // A cost model sees this instead of the program, unless it is null. With it the program may be
  // empty if nothing builds it.
  std::shared_ptr<const KnownFeatures> known = {};
};

ModelInput model_input(const Candidate& candidate);

Result<Candidate> materialize(const TaskSpec& spec, const Target& target, const KeyedTrace& trace);

// Makes the candidate of a trace; the error tells why there is none.
using MakeCandidate = std::function<Result<Candidate>(const KeyedTrace&)>;
// Uses materialize(). The space must outlive the result.
MakeCandidate by_lowering(const Space& space);

// DraftedCandidates: a cache of candidates that a strategy's scorers lowered, for the proposer:
//
//   DraftedCandidates drafted(by_lowering(space));
//   ModelScorer scorer(drafted.keeping(), cost_model);   // lowers 64 candidates for a round of 16
//   drafted.take(trace)                                  // one of the 16: not lowered again
//
// Lowering takes most of a strategy's own time, and most proposed traces have just been scored. The
// latest kMostKept candidates are kept: about one round's, some megabytes.
class DraftedCandidates {
 public:
  static constexpr size_t kMostKept = 128;

  explicit DraftedCandidates(MakeCandidate make) : make_(std::move(make)) {}

  // A thread-safe MakeCandidate that keeps a copy of each candidate. This must outlive it.
  MakeCandidate keeping();
  // Empty: it was never made, has been evicted, or was taken already.
  std::optional<Candidate> take(const KeyedTrace& trace);

 private:
  void keep(uint64_t key, const Candidate& candidate);

  MakeCandidate make_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, Candidate> kept_;  // by the key of the trace
  std::deque<uint64_t> order_;                    // oldest first
};

}  // namespace dovetail
