// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scorer: the cost model's scores of traces that are not proposed yet, so that a strategy can look
// at many candidates for each one that is measured:
//
//   const std::vector<std::optional<double>> scores = scorer.score(traces);
//   // {0.83, nothing, 0.12}: the second is illegal, the first is expected to be the fastest
//
// Larger is better, and only the order means anything: a score has no unit and is not comparable
// between two states of a model (costmodel/cost_models.h). A score depends only on the trace and on
// the samples that the model has learnt, so strategies that use it stay reproducible. Scoring
// applies and lowers each trace, a millisecond each, which bounds how many a strategy can look at.
// Without a cost model, a strategy gets no scorer.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "costmodel/cost_models.h"
#include "primitives/space/space.h"
#include "search/candidate.h"
#include "search/keyed_trace.h"

namespace dovetail {

class Scorer {
 public:
  virtual ~Scorer() = default;
  // One per trace, in order; empty: the trace is illegal.
  virtual std::vector<std::optional<double>> score(std::span<const KeyedTrace> traces) = 0;
  // Time in the model itself, over all calls; applying and lowering count as search time.
  virtual double model_seconds() const = 0;
};

class ModelScorer final : public Scorer {
 public:
  // Both must outlive the scorer.
  ModelScorer(const Space& space, CostModel& cost_model)
      : ModelScorer(by_lowering(space), cost_model) {}
  // `make` is called on `threads` threads at once; 0: one for each core.
  ModelScorer(MakeCandidate make, CostModel& cost_model, size_t threads = 1)
      : make_(std::move(make)), cost_model_(cost_model), threads_(threads) {}

  std::vector<std::optional<double>> score(std::span<const KeyedTrace> traces) override;
  double model_seconds() const override { return model_seconds_; }

 private:
  void score_some(std::span<const KeyedTrace> traces, std::vector<std::optional<double>>& scores);

  MakeCandidate make_;
  CostModel& cost_model_;
  size_t threads_;
  double model_seconds_ = 0;
};

}  // namespace dovetail
