// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `draft_verify`: an evolutionary search by a cheap analytic model drafts candidates
// out of a large population, the learnt model verifies the drafted few, and the best are measured.
//
// L. Qiao, J. Shi, X. Hao, X. Fang, S. Zhang, M. Zhao, Z. Zhu, J. Chen, H. An, X. Tang, B. Li,
// H. Yuan, X. Wang: Pruner: A Draft-then-Verify Exploration Mechanism to Accelerate Tensor Program
// Tuning. ASPLOS 2025, arXiv 2402.02361 (the flow is that of its code, github.com/qiaolian9/Pruner,
// `sketch_policy.cc`).
//
//   draft     random points and the fastest measured live for a few generations by `roofline`;
//             the best of all that lived are the drafted set, which serves for some rounds
//   verify    the drafted, fresh random and the fastest measured points are scored by the cost
//             model, live a generation by it, and the best unseen are measured, beside a share of
//             random ones
//
// As there: the draft model is analytic and never trained; children are mutants, or their parents
// again; the drafted set is made anew every other round. What differs: populations are 96 and not
// 1,536, and 48 and not 512 are drafted, because our draft model reads lowered programs where
// theirs reads symbols; parents are drawn by rank and not by score, because scores have no unit.
// What verifies there is a transformer over patterns of data flow, here the campaign's cost model;
// without one the best of the draft are measured.

#include "search/strategies/strategies.h"

namespace dovetail {

struct DraftVerifyOptions {
  int64_t population = 96;
  int64_t generations = 2;
  int64_t drafted = 48;
  int64_t rounds = 2;
  int64_t verified = 1;
  int64_t parents = 8;
  double mutation = 0.85;
  double epsilon = 0.1;
};
std::vector<OptionField> fields_of(DraftVerifyOptions& options);

std::unique_ptr<Strategy> make_draft_verify(const StrategyContext& context,
                                            const DraftVerifyOptions& options);

}  // namespace dovetail
