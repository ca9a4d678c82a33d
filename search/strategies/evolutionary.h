// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `evolutionary`: the fastest points measured so far are mutated and crossed, and the
// cost model picks among their descendants.
//
// L. Zheng, C. Jia, M. Sun, Z. Wu, C. H. Yu, A. Haj-Ali, Y. Wang, J. Yang, D. Zhuo, K. Sen,
// J. E. Gonzalez, I. Stoica: Ansor: Generating High-Performance Tensor Programs for Deep Learning.
// OSDI 2020 (its evolutionary search, with the defaults of the implementation in TVM).
//
// With a cost model, as there: a population of the best measured and of random points lives for a
// few generations by the model's scores; of all that lived, the best unseen are measured, beside a
// share of random ones. What differs: the population is 32 and not 2048, because scoring a point
// applies and lowers it; parents are drawn by rank and not by score, because our scores have no
// unit; crossover is by parameter and not by stage of a network, because a task is one operator.
//
// Without one, which Ansor does not do, children of the best measured points are measured at once.

#include "search/strategies/strategies.h"

namespace dovetail {

struct EvolutionaryOptions {
  int64_t population = 32;
  int64_t generations = 3;
  int64_t parents = 8;
  double mutation = 0.85;
  double epsilon = 0.05;
};
std::vector<OptionField> fields_of(EvolutionaryOptions& options);

std::unique_ptr<Strategy> make_evolutionary(const StrategyContext& context,
                                            const EvolutionaryOptions& options);

}  // namespace dovetail
