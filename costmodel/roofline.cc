// SPDX-License-Identifier: Apache-2.0
#include "costmodel/roofline.h"

namespace dovetail {
namespace {

class RooflineCostModel final : public CostModel {
 public:
  explicit RooflineCostModel(Target target) : target_(std::move(target)) {}
  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    std::vector<double> scores;
    for (const ModelInput& input : inputs) {
      scores.push_back(1 / estimated_seconds_of(input, target_));
    }
    return scores;
  }
  void update(std::span<const CostSample>) override {}

 private:
  Target target_;
};

}  // namespace

Result<std::unique_ptr<CostModel>> make_roofline_cost_model(const CostModelOptions& options) {
  return std::unique_ptr<CostModel>(std::make_unique<RooflineCostModel>(options.target));
}

}  // namespace dovetail
