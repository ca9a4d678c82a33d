// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `dovetail`, ours: four searches look for candidates of their own, one model ranks
// them all, and each search gets a share of the round by what it gained.
//
//   spread    random points: other layouts and algorithms
//   evolve    mutants and crossings of the fastest measured points (Ansor's)
//   loops     mutants of the loops alone, on the fastest layouts: ALT's second stage, whose share
//             grows when the layouts are found
//   descend   what lies beside the fastest points (Droplet's coordinate descent, by the model)
//
// The model is search/strategies/model/speed_model.h: the analytic model's estimate, scaled, and a
// Gaussian process over the points for what it misses. With `verify`, the scores of the campaign's
// cost model count, too; on measured spaces they did not help (docs/decisions/0017-dovetail.md has
// the figures). A candidate's rank is its lower confidence bound: what it would take if it were
// faster than expected by some deviations; what was chosen and what is being measured counts as
// known, so that a round is spread out.
//
//   before the first results    a third each of what lies beside the default point, of a spread,
//                               and of the descendants of both, by the estimate
//   a round                     each search makes candidates, evolution in some generations on the
//                               process's guesses; by these the likeliest are lowered, 4 for each
//                               that is measured; each place of the round goes to a search drawn
//                               by its share, and to its best candidate
//   results                     a search gains the logarithm of the speed-up over the best before;
//                               gains and counts fade, so that shares follow the campaign
//
// Sources: L. Zheng et al., OSDI 2020 (evolution); Z. Xu et al., EuroSys 2023 (two stages);
// M. Canesche et al., TACO 2024 (descent); L. Qiao et al., ASPLOS 2025 (draft and verify);
// E. Hellsten et al., BaCO, ASPLOS 2023 (Gaussian processes for compilers); P. Auer et al., Machine
// Learning 47, 2002 (bandits).

#include "search/strategies/strategies.h"

namespace dovetail {

struct DovetailOptions {
  int64_t parents = 12;
  int64_t layouts = 3;
  int64_t centres = 3;
  int64_t pool = 8;
  int64_t drafted = 2;
  int64_t blind = 2;  // estimates are all there is then
  int64_t blind_generations = 2;
  int64_t generations = 0;
  int64_t samples = 256;
  double caution = 2;
  double verify = 0;
  double least = 0.08;
  double fade = 0.8;
};
std::vector<OptionField> fields_of(DovetailOptions& options);

std::unique_ptr<Strategy> make_dovetail(const StrategyContext& context,
                                        const DovetailOptions& options);

}  // namespace dovetail
