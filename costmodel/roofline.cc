// SPDX-License-Identifier: Apache-2.0
#include "costmodel/roofline.h"

#include "costmodel/features/cost_estimate.h"

namespace dovetail {
namespace {

class RooflineCostModel final : public CostModel {
 public:
  explicit RooflineCostModel(Target target) : target_(std::move(target)) {}
  std::vector<double> predict(std::span<const Program* const> programs) override {
    std::vector<double> scores;
    for (const Program* program : programs) {
      scores.push_back(1 / estimated_seconds(*program, target_));
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
