// SPDX-License-Identifier: Apache-2.0
//
// The strategy `exhaustive`: every point in lexicographic order of the domains, the last parameter
// varying fastest; each trace once. For spaces small enough to be measured completely, and as the
// reference for what other strategies missed.
#include "search/strategies/points/points.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/strategy_entry.h"

namespace dovetail {
namespace {

class ExhaustiveStrategy final : public Strategy {
 public:
  ExhaustiveStrategy(const StrategyContext& context, const NoOptions&)
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

 private:
  UnseenPoints unseen_;
  std::optional<Point> next_;
};

}  // namespace

StrategyEntry exhaustive_entry() {
  return strategy_entry<NoOptions>("exhaustive", "every point, in order",
                                   kConstruct<ExhaustiveStrategy>);
}

}  // namespace dovetail
