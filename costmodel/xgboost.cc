// SPDX-License-Identifier: Apache-2.0
#include "costmodel/xgboost.h"

#include <algorithm>

#include "core/base/check.h"
#include "costmodel/boosted_trees.h"
#include "costmodel/saved_model.h"

namespace dovetail {
namespace {

constexpr size_t kFirstTraining = 16;  // samples
constexpr double kGrowth = 1.2;        // of the samples, until the next one
constexpr size_t kMaxRows = 1000;      // that training stays within 100 ms

class XgboostCostModel final : public CostModel {
 public:
  explicit XgboostCostModel(const CostModelOptions& options)
      : target_(options.target), seed_(options.seed), warm_start_(options.warm_start) {}

  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    const BoostedTrees* trees = trees_ ? &*trees_ : nullptr;
    if (trees == nullptr && warm_start_ != nullptr) trees = &warm_start_->trees;
    if (trees == nullptr) return draft(inputs);
    std::vector<FeatureVector> rows;
    for (const ModelInput& input : inputs) rows.push_back(features_of(input, target_));
    return trees->predict(rows);
  }

  void update(std::span<const CostSample> samples) override {
    for (const CostSample& sample : samples) {
      features_.push_back(features_of(sample.input, target_));
      seconds_.push_back(sample.seconds);
    }
    const bool grew =
        static_cast<double>(seconds_.size()) >= kGrowth * static_cast<double>(trained_on_);
    if (seconds_.size() >= kFirstTraining && grew) train();
  }

  TrainingRows learnt() const override {
    TrainingRows rows{.features = features_, .labels = {}};
    std::optional<double> best;
    for (const auto& seconds : seconds_) {
      if (seconds && (!best || *seconds < *best)) best = seconds;
    }
    for (const auto& seconds : seconds_) {
      rows.labels.push_back(seconds ? static_cast<float>(*best / *seconds) : 0);
    }
    return rows;
  }

 private:
  std::vector<double> draft(std::span<const ModelInput> inputs) const {
    std::vector<double> scores;
    for (const ModelInput& input : inputs) {
      scores.push_back(1 / estimated_seconds_of(input, target_));
    }
    return scores;
  }

  void train() {
    trained_on_ = seconds_.size();
    Result<BoostedTrees> trees =
        BoostedTrees::train(thinned(learnt(), kMaxRows), {.seed = seed_},
                            warm_start_ == nullptr ? nullptr : &warm_start_->trees);
    CHECK(trees.has_value(), trees ? "" : trees.error().message);
    trees_ = std::move(*trees);
  }

  Target target_;
  uint64_t seed_;
  const SavedModel* warm_start_;
  std::vector<FeatureVector> features_;  // of all samples
  std::vector<std::optional<double>> seconds_;
  size_t trained_on_ = 0;
  std::optional<BoostedTrees> trees_;
};

}  // namespace

Result<std::unique_ptr<CostModel>> make_xgboost_cost_model(const CostModelOptions& options) {
  TRY(BoostedTrees::available());
  return std::unique_ptr<CostModel>(std::make_unique<XgboostCostModel>(options));
}

}  // namespace dovetail
