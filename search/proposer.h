// SPDX-License-Identifier: Apache-2.0
#pragma once

// Proposer: the stage between a strategy and the builders: it applies and lowers the strategy's
// traces, drops and counts illegal and repeated ones, and sorts the rest by the cost model's
// scores.
//
//   Proposer proposer(space, strategy, cost_model);
//   proposer.propose_default();      // the default trace
//   TRY(proposer.propose(16));       // 16 candidates never given before; fewer: exhausted
//   proposer.rejected();             // how many proposals were dropped so far

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "costmodel/cost_models.h"
#include "primitives/space/space.h"
#include "search/candidate.h"
#include "search/keyed_trace.h"
#include "search/scorer.h"
#include "search/strategy.h"

namespace dovetail {

struct Proposal {
  Candidate candidate;
  bool is_default = false;
  int64_t rejected = 0;                              // proposals dropped so far
  double search_seconds = 0;                         // proposing, applying and lowering it
  double model_seconds = 0;                          // scoring it
  std::optional<double> score = std::nullopt;        // the cost model's; the default trace has none
  std::optional<double> fresh_score = std::nullopt;  // by a model without the warm start
};

class Proposer {
 public:
  // More dropped proposals than this in one call mean that the strategy is exhausted, or, after
  // some accepted traces, that the round stays smaller.
  static constexpr int64_t kMostMisses = 2000;

  // `scorer`: the strategy's, so that its model time is not counted as search time. Traces for
  // which `make` fails are rejected; without `make`, candidates are lowered.
  Proposer(const Space& space, Strategy& strategy, CostModel& cost_model,
           const Scorer* scorer = nullptr, MakeCandidate make = {})
      : space_(space),
        strategy_(strategy),
        cost_model_(cost_model),
        scorer_(scorer),
        make_(make ? std::move(make) : by_lowering(space)) {}

  // Empty if the default trace is illegal for this operator (last_rejection() tells why).
  std::optional<Proposal> propose_default();
  // Fails if the strategy does, but only with nothing left to return: a call that has proposals
  // returns those, and the next call the error. `goes_on` is asked after traces were dropped, which
  // may go on for minutes where a log answers; false ends the call.
  Result<std::vector<Proposal>> propose(size_t n, const std::function<bool()>& goes_on = {});

  bool exhausted() const { return exhausted_; }
  int64_t rejected() const { return rejected_; }
  // Dropped by the call of propose() that is under way.
  int64_t misses() const { return misses_; }
  // Why the last illegal or unmeasurable trace was rejected; empty if there was none.
  const std::string& last_rejection() const { return last_rejection_; }

 private:
  std::optional<Candidate> accept(const KeyedTrace& trace);
  double scorer_seconds() const { return scorer_ ? scorer_->model_seconds() : 0; }
  double rank(std::vector<Proposal>& proposals);

  const Space& space_;
  Strategy& strategy_;
  CostModel& cost_model_;
  const Scorer* scorer_;
  MakeCandidate make_;
  TraceSet seen_;                        // all traces proposed so far
  std::vector<Observation> rejections_;  // this call's, reported to the strategy
  bool exhausted_ = false;
  std::optional<Error> failed_;  // the strategy's error, for the next call to return
  int64_t rejected_ = 0, misses_ = 0;
  std::string last_rejection_;
};

}  // namespace dovetail
