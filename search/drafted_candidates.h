// SPDX-License-Identifier: Apache-2.0
#pragma once

// DraftedCandidates: what a strategy's scorers lowered, until the proposer asks for it:
//
//   DraftedCandidates drafted(by_lowering(space));
//   ModelScorer scorer(drafted.keeping(), cost_model);   // lowers 64 candidates for a round of 16
//   drafted.take(trace)                                  // one of the 16: not lowered again
//
// Lowering is the larger part of what a strategy takes beside a device, and what is measured was
// looked at just before. The latest kMostKept are kept: those of a round, some megabytes.

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "search/candidate.h"

namespace dovetail {

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
