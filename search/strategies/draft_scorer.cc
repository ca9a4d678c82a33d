// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/draft_scorer.h"

#include "costmodel/cost_models.h"

namespace dovetail {
namespace {

constexpr size_t kMostKnown = 4096;  // of each of two: a few hundred kilobytes in all

}  // namespace

DraftScorer::DraftScorer(const StrategyContext& context) : scorer_(context.draft) {
  if (scorer_ != nullptr) return;
  Result<std::unique_ptr<CostModel>> model =
      make_cost_model("roofline", {.target = context.space.target()});
  CHECK(model.has_value(), "the analytic model is always there");
  model_ = std::move(*model);
  own_ = std::make_unique<ModelScorer>(context.space, *model_);
  scorer_ = own_.get();
}

std::vector<std::optional<double>> DraftScorer::score(std::span<const KeyedTrace> traces) {
  if (known_.size() > kMostKnown) known_before_ = std::exchange(known_, {});
  std::vector<KeyedTrace> unknown;
  for (const KeyedTrace& trace : traces) {
    if (known_.contains(trace.key)) continue;
    const auto before = known_before_.find(trace.key);
    const bool is_new = before == known_before_.end();
    known_[trace.key] = is_new ? std::nullopt : before->second;
    if (is_new) unknown.push_back(trace);
  }
  const std::vector<std::optional<double>> scores = scorer_->score(unknown);
  for (size_t i = 0; i < unknown.size(); ++i) known_[unknown[i].key] = scores[i];
  std::vector<std::optional<double>> result;
  for (const KeyedTrace& trace : traces) result.push_back(known_[trace.key]);
  return result;
}

}  // namespace dovetail
