// SPDX-License-Identifier: Apache-2.0
#pragma once

// Proposer: what stands between a strategy and the builders: every trace it proposes is applied and
// lowered, the illegal and the repeated ones are counted and dropped, the rest is put in the order
// of the cost model's scores.
//
//   Proposer proposer(space, strategy, cost_model);
//   proposer.propose_default();      // the default trace
//   TRY(proposer.propose(16));       // 16 candidates never given before; fewer: exhausted
//   proposer.rejected();             // how many proposals were dropped so far

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
  int64_t rejected = 0;                              // proposals dropped until this one was made
  double search_seconds = 0;                         // proposing, applying and lowering it
  double model_seconds = 0;                          // scoring it
  std::optional<double> score = std::nullopt;        // the cost model's; the default trace has none
  std::optional<double> fresh_score = std::nullopt;  // of a model without the warm start
};

class Proposer {
 public:
  // `scorer`: the strategy's, so that the model's part of its time can be told apart. A proposal
  // that `make` has no candidate of is rejected; without it, candidates are lowered.
  Proposer(const Space& space, Strategy& strategy, CostModel& cost_model,
           const Scorer* scorer = nullptr, MakeCandidate make = {})
      : space_(space),
        strategy_(strategy),
        cost_model_(cost_model),
        scorer_(scorer),
        make_(make ? std::move(make) : by_lowering(space)) {}

  // No value if the default trace is illegal for this operator (last_rejection() says why).
  std::optional<Proposal> propose_default();
  // An error is the strategy's. It comes after all that was proposed: a call that has something
  // gives that, and the next one the error.
  Result<std::vector<Proposal>> propose(size_t n);

  bool exhausted() const { return exhausted_; }
  int64_t rejected() const { return rejected_; }
  // Why the last trace that was refused was illegal or cannot be measured; empty when none was.
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
  TraceSet seen_;                        // all traces so far
  std::vector<Observation> rejections_;  // of the current call, for the strategy
  bool exhausted_ = false;
  std::optional<Error> failed_;  // the strategy, for the next call to say
  int64_t rejected_ = 0;
  std::string last_rejection_;
};

}  // namespace dovetail
