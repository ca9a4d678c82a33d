// SPDX-License-Identifier: Apache-2.0
#include "costmodel/random.h"

#include <bit>

namespace dovetail {
namespace {

// A step of splitmix64: every bit of the result depends on every bit of the number.
uint64_t mixed(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

class RandomCostModel final : public CostModel {
 public:
  explicit RandomCostModel(const CostModelOptions& options)
      : target_(options.target), seed_(options.seed) {}

  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    std::vector<double> scores;
    for (const ModelInput& input : inputs) {
      uint64_t hash = mixed(seed_);
      for (const float value : features_of(input, target_)) {
        hash = mixed(hash ^ std::bit_cast<uint32_t>(value));
      }
      scores.push_back(static_cast<double>(hash >> 11) * 0x1p-53);
    }
    return scores;
  }
  void update(std::span<const CostSample>) override {}

 private:
  Target target_;
  uint64_t seed_;
};

}  // namespace

Result<std::unique_ptr<CostModel>> make_random_cost_model(const CostModelOptions& options) {
  return std::unique_ptr<CostModel>(std::make_unique<RandomCostModel>(options));
}

}  // namespace dovetail
