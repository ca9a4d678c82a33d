// SPDX-License-Identifier: Apache-2.0
#pragma once

// Strategy: proposes traces and observes their results (ask/tell).
//
//   while (true) {
//     const std::vector<KeyedTrace> traces = TRY(strategy.propose(16));
//     if (traces.empty()) break;                 // the space is exhausted
//     strategy.observe(measured(traces));        // in the order proposed, failures included
//   }
//
// A strategy is built from (space, seed, options), may ask a cost model to score traces
// (search/scorer.h), and sees nothing else: no device, no clock, no log. So the same seed, the same
// observations and the same state of the model give the same proposals, wherever and however fast
// the candidates were measured, and any strategy can be replayed against a log.
//
// The tuner keeps one round in flight: between two proposals it reports the round before the last
// one proposed. A strategy must therefore not assume that its latest proposals have been observed.

#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/measure_result.h"
#include "search/agent/saved_agent.h"
#include "search/keyed_trace.h"

namespace dovetail {

struct Observation {
  KeyedTrace trace;
  Status status = Status::ok;
  double seconds = 0;     // median of the samples; 0 unless ok
  bool rejected = false;  // illegal or repeated: it was never measured, and has no status
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // At most n traces. Empty: there is nothing left to propose. Traces may be illegal or proposed
  // before; the tuner rejects and counts them. Fails if the strategy cannot continue (a user's
  // program that ended).
  virtual Result<std::vector<KeyedTrace>> propose(size_t n) = 0;
  // No-op by default: such a strategy leaves learning to the cost model.
  virtual void observe(std::span<const Observation>) {}
  // State from which other tasks can start; empty: nothing learnt would serve them.
  virtual std::optional<SavedAgent> learnt() const { return std::nullopt; }
};

}  // namespace dovetail
