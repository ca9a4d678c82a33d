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
  std::vector<uint64_t> hashes, asked;
  std::vector<KeyedTrace> unknown;
  for (const KeyedTrace& trace : traces) {
    hashes.push_back(trace.key);
    if (known_.contains(hashes.back())) continue;
    const auto before = known_before_.find(hashes.back());
    known_[hashes.back()] = before == known_before_.end() ? std::nullopt : before->second;
    if (before != known_before_.end()) continue;
    unknown.push_back(trace);
    asked.push_back(hashes.back());
  }
  const std::vector<std::optional<double>> scores = scorer_->score(unknown);
  for (size_t i = 0; i < unknown.size(); ++i) known_[asked[i]] = scores[i];
  std::vector<std::optional<double>> result;
  for (const uint64_t key : hashes) result.push_back(known_[key]);
  return result;
}

}  // namespace dovetail
