// SPDX-License-Identifier: Apache-2.0
#include "costmodel/cost_models.h"

#include <algorithm>
#include <bit>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "costmodel/features/cost_estimate.h"

namespace dovetail {
namespace {

// Every program scores the same, so the strategy's own order decides what is measured: the baseline
// of every comparison of cost models.
class NoneCostModel final : public CostModel {
 public:
  explicit NoneCostModel(const CostModelOptions&) {}
  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    return std::vector<double>(inputs.size(), 0.0);
  }
  void update(std::span<const CostSample>) override {}
};

// A step of splitmix64: every bit of the result depends on every bit of the number.
uint64_t mixed(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

// A score is a number in [0, 1) mixed from the seed and the program's features, so that a round is
// ranked by chance, and the same program always scores the same. The baseline that a ranking must
// beat: unlike `none` it also discards the strategy's own order.
class RandomCostModel final : public CostModel {
 public:
  explicit RandomCostModel(const CostModelOptions& options)
      : target_(options.target), seed_(options.seed) {}

  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    std::vector<double> scores;
    for (const ModelInput& input : inputs) {
      uint64_t hash = mixed(seed_);
      for (const float value : features_of(input, target_))
        hash = mixed(hash ^ std::bit_cast<uint32_t>(value));
      scores.push_back(static_cast<double>(hash >> 11) * 0x1p-53);
    }
    return scores;
  }
  void update(std::span<const CostSample>) override {}

 private:
  Target target_;
  uint64_t seed_;
};

// The score is the speed that the analytic model of costmodel/features/cost_estimate.h predicts. It
// learns nothing, so its first prediction is as good as its last: a draft model, to be verified by
// a better one (Pruner, arXiv 2402.02361).
class RooflineCostModel final : public CostModel {
 public:
  explicit RooflineCostModel(const CostModelOptions& options) : target_(options.target) {}
  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    return estimated_speeds_of(inputs, target_);
  }
  void update(std::span<const CostSample>) override {}

 private:
  Target target_;
};

template <typename Model>
Result<std::unique_ptr<CostModel>> make(const CostModelOptions& options) {
  return std::unique_ptr<CostModel>(std::make_unique<Model>(options));
}

constexpr CostModelEntry kCostModels[] = {
    {"none", "every program scores the same: the strategy's order decides", false,
     make<NoneCostModel>},
    {"random", "scores are random numbers: what ranking by chance would do", false,
     make<RandomCostModel>},
    {"roofline", "scores are speeds by an analytic model of the target", false,
     make<RooflineCostModel>},
    {"xgboost", "boosted trees over the features, learnt along the campaign", true,
     make_xgboost_cost_model},
};

}  // namespace

KnownFeatures know(const Program& program, const Target& target) {
  return {.features = extract_features(program, target),
          .estimated_seconds = estimated_seconds(program, target)};
}

FeatureVector features_of(const ModelInput& input, const Target& target) {
  if (input.known != nullptr) return input.known->features;
  CHECK(input.program != nullptr, "a model is shown nothing of a candidate");
  return extract_features(*input.program, target);
}

std::vector<double> estimated_speeds_of(std::span<const ModelInput> inputs, const Target& target) {
  std::vector<double> speeds;
  for (const ModelInput& input : inputs) {
    const KnownFeatures* const known = input.known;
    CHECK(known != nullptr || input.program != nullptr, "a model is shown nothing of a candidate");
    speeds.push_back(1 / (known != nullptr ? known->estimated_seconds
                                           : estimated_seconds(*input.program, target)));
  }
  return speeds;
}

std::span<const CostModelEntry> cost_models() { return kCostModels; }

const CostModelEntry* find_cost_model(std::string_view name) {
  const auto* const entry = std::ranges::find(kCostModels, name, &CostModelEntry::name);
  return entry == std::end(kCostModels) ? nullptr : entry;
}

Result<std::unique_ptr<CostModel>> make_cost_model(std::string_view name,
                                                   const CostModelOptions& options) {
  const CostModelEntry* entry = find_cost_model(name);
  if (entry == nullptr) {
    return fail("unknown cost model '{}'; expected one of: {}", name,
                one_of_or_nearest(name, kCostModels, &CostModelEntry::name));
  }
  if (options.warm_start != nullptr && !entry->learns)
    return fail("cost model {} learns nothing, so it has no warm start; use xgboost", name);
  return entry->make(options);
}

}  // namespace dovetail
