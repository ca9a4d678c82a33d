// SPDX-License-Identifier: Apache-2.0
//
// The strategy `random`: every parameter uniformly from its domain, except that off_percent sets
// how often some are off; no trace is repeated (unseen_points.h). The baseline that every other
// strategy has to beat.
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/strategy_entry.h"

namespace dovetail {
namespace {

class RandomStrategy final : public Strategy {
 public:
  RandomStrategy(const StrategyContext& context, const NoOptions&)
      : unseen_(context.space, context.seed) {}

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    return traces_of(n, [&] { return unseen_.draw(); });
  }

 private:
  UnseenPoints unseen_;
};

}  // namespace

StrategyEntry random_entry() {
  return strategy_entry<NoOptions>("random", "every parameter evenly from its domain",
                                   kConstruct<RandomStrategy>);
}

}  // namespace dovetail
