// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `annealing`: simulated annealing in parallel chains, each of which changes one
// parameter at a time and accepts a worse point the more rarely, the longer it walks.
//
// T. Chen, L. Zheng, E. Yan, Z. Jiang, T. Moreau, L. Ceze, C. Guestrin, A. Krishnamurthy: Learning
// to Optimize Tensor Programs. NeurIPS 2018 (AutoTVM; its `sa_model_optimizer`).
//
// With a cost model, as there: before each round the chains walk over the model's scores, the best
// points that they came by are measured, and a share of the round is random. What differs: fewer
// and shorter walks, because each step applies and lowers a program; a difference of scores is
// measured in their standard deviation over the chains, because our scores have no unit; no
// diversity filter.
//
// Without one, on measured times, which AutoTVM does not do: each chain proposes a change of where
// it stands, and moves when the result comes. e^-(x/temperature) of the points x times slower in
// natural logarithm are accepted.

#include "search/strategies/strategies.h"

namespace dovetail {

struct AnnealingOptions {
  int64_t chains = 4;
  int64_t steps = 32;
  double temperature = 0.1;
  double cooling = 0.97;
  double epsilon = 0.05;
};
std::vector<OptionField> fields_of(AnnealingOptions& options);

std::unique_ptr<Strategy> make_annealing(const StrategyContext& context,
                                         const AnnealingOptions& options);

}  // namespace dovetail
