// SPDX-License-Identifier: Apache-2.0
//
// The cost model `xgboost`: boosted trees over the features of costmodel/features, retrained each
// time the data grew by a fifth. Until there are 16 samples it scores by its warm start or, without
// one, as `roofline`.
//
// Labels are relative to the task's best so far (costmodel/training_rows.h), so a failure is the
// worst. With a warm start, trees are added to its own: few samples correct them a little, many
// override them. When there are more than 2,500 samples, only the best and an even selection of the
// others are kept.

#include "core/base/check.h"
#include "costmodel/boosted_trees.h"
#include "costmodel/cost_models.h"
#include "costmodel/saved_model.h"

namespace dovetail {
namespace {

constexpr size_t kFirstTraining = 16;  // samples
constexpr double kGrowth = 1.2;        // growth of the samples that triggers retraining
constexpr size_t kMaxRows = 1000;      // keeps training within 100 ms
// Bounds memory in a long campaign: beyond kMostSamples, samples are thinned to kKeptSamples by the
// rule for training rows.
constexpr size_t kMostSamples = 2500;
constexpr size_t kKeptSamples = 2000;

class XgboostCostModel final : public CostModel {
 public:
  explicit XgboostCostModel(const CostModelOptions& options)
      : target_(options.target), seed_(options.seed), warm_start_(options.warm_start) {}

  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    const BoostedTrees* trees = trees_ ? &*trees_ : nullptr;
    if (trees == nullptr && warm_start_ != nullptr) trees = &warm_start_->trees;
    if (trees == nullptr) return estimated_speeds_of(inputs, target_);
    std::vector<FeatureVector> rows;
    for (const ModelInput& input : inputs) rows.push_back(features_of(input, target_));
    return trees->predict(rows);
  }

  void update(std::span<const CostSample> samples) override {
    for (const CostSample& sample : samples) {
      features_.push_back(features_of(sample.input, target_));
      seconds_.push_back(sample.seconds);
    }
    seen_ += samples.size();
    const bool grew = static_cast<double>(seen_) >= kGrowth * static_cast<double>(trained_on_);
    if (seen_ >= kFirstTraining && grew) train();
    if (seconds_.size() > kMostSamples) forget_some();
  }

  TrainingRows learnt() const override { return {features_, labels()}; }

 private:
  std::vector<float> labels() const {
    std::optional<double> best;
    for (const auto& seconds : seconds_)
      if (seconds && (!best || *seconds < *best)) best = seconds;
    std::vector<float> labels;
    for (const auto& seconds : seconds_)
      labels.push_back(seconds ? static_cast<float>(*best / *seconds) : 0);
    return labels;
  }

  void forget_some() {
    size_t count = 0;
    for (const size_t i : rows_to_keep(labels(), kKeptSamples)) {
      if (i != count) features_[count] = std::move(features_[i]);
      seconds_[count++] = seconds_[i];
    }
    features_.resize(count);
    seconds_.resize(count);
  }

  void train() {
    trained_on_ = seen_;
    Result<BoostedTrees> trees =
        BoostedTrees::train(thinned(learnt(), kMaxRows), {.seed = seed_},
                            warm_start_ == nullptr ? nullptr : &warm_start_->trees);
    CHECK(trees.has_value(), trees ? "" : trees.error().message);
    trees_ = std::move(*trees);
  }

  Target target_;
  uint64_t seed_;
  const SavedModel* warm_start_;
  std::vector<FeatureVector> features_;  // kept samples only
  std::vector<std::optional<double>> seconds_;
  size_t seen_ = 0;        // samples, forgotten ones included
  size_t trained_on_ = 0;  // `seen_` at the last training
  std::optional<BoostedTrees> trees_;
};

}  // namespace

Result<std::unique_ptr<CostModel>> make_xgboost_cost_model(const CostModelOptions& options) {
  TRY(BoostedTrees::available());
  return std::unique_ptr<CostModel>(std::make_unique<XgboostCostModel>(options));
}

}  // namespace dovetail
