// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/exhaustive.h"

#include "search/strategies/points/points.h"
#include "search/strategies/points/unseen_points.h"

namespace dovetail {
namespace {

class ExhaustiveStrategy final : public Strategy {
 public:
  explicit ExhaustiveStrategy(const StrategyContext& context)
      : unseen_(context.space, context.seed), next_(first_point(context.space)) {}

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    std::vector<KeyedTrace> traces;
    while (traces.size() < n && next_) {
      if (std::optional<ProposedPoint> taken = unseen_.take(*next_))
        traces.push_back(std::move(taken->trace));
      next_ = next_point(unseen_.space(), std::move(*next_));
    }
    return traces;
  }

  void observe(std::span<const Observation>) override {}

 private:
  UnseenPoints unseen_;
  std::optional<Point> next_;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const StrategyContext& context, const NoOptions&) {
  return std::make_unique<ExhaustiveStrategy>(context);
}

}  // namespace dovetail
