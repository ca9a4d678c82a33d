// SPDX-License-Identifier: Apache-2.0
#pragma once

// DraftScorer: scores of the analytic model (costmodel/features/cost_estimate.h), by which a
// strategy drafts candidates before the learnt model, or a measurement, has the last word:
//
//   DraftScorer draft(context);
//   draft.score(traces)      {1250, nothing, 900}: the second is illegal
//
// An estimate never changes, so it is remembered: a trace that is looked at round after round is
// lowered once. Not all of a long campaign: those that were not asked for of late are forgotten.

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/strategies/strategies.h"

namespace dovetail {

class DraftScorer final : public Scorer {
 public:
  explicit DraftScorer(const StrategyContext& context);

  // Speeds: 1 / the seconds that it expects.
  std::vector<std::optional<double>> score(std::span<const KeyedTrace> traces) override;
  double model_seconds() const override { return scorer_->model_seconds(); }

 private:
  std::unique_ptr<CostModel> model_;  // none where the context has a scorer
  std::unique_ptr<Scorer> own_;
  Scorer* scorer_;
  using Estimates = std::unordered_map<uint64_t, std::optional<double>>;  // by trace
  Estimates known_;         // asked for since it was empty
  Estimates known_before_;  // and before that
};

}  // namespace dovetail
