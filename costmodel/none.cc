// SPDX-License-Identifier: Apache-2.0
#include "costmodel/none.h"

namespace dovetail {
namespace {

class NoneCostModel final : public CostModel {
 public:
  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    return std::vector<double>(inputs.size(), 0.0);
  }
  void update(std::span<const CostSample>) override {}
};

}  // namespace

Result<std::unique_ptr<CostModel>> make_none_cost_model(const CostModelOptions&) {
  return std::unique_ptr<CostModel>(std::make_unique<NoneCostModel>());
}

}  // namespace dovetail
