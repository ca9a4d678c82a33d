// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/random.h"

#include "search/strategies/points/unseen_points.h"

namespace dovetail {
namespace {

class RandomStrategy final : public Strategy {
 public:
  explicit RandomStrategy(const StrategyContext& context) : unseen_(context.space, context.seed) {}

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    std::vector<KeyedTrace> traces;
    while (traces.size() < n) {
      std::optional<ProposedPoint> drawn = unseen_.draw();
      if (!drawn) break;
      traces.push_back(std::move(drawn->trace));
    }
    return traces;
  }

  void observe(std::span<const Observation>) override {}

 private:
  UnseenPoints unseen_;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const StrategyContext& context, const NoOptions&) {
  return std::make_unique<RandomStrategy>(context);
}

}  // namespace dovetail
