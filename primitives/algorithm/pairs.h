// SPDX-License-Identifier: Apache-2.0
//
// pairs(of=4, apart=1): of each four elements along the reduction, `apart` from each other, the
// first two are multiplied as a pair, which trades a multiply-add for two additions:
//
//   a·b + c·d = (a + d)·(c + b) - a·c - b·d
//
//   Y[m, n] = sum(k) X[m, k] * W[k, n] + bias[n]                                  gmm
//
// becomes, with K the extent of k,
//
//   W.pairs[n] = sum(k < K/4) W[4*k, n] * W[4*k + 1, n]                           W.pairs once
//   X.pairs[m] = sum(k < K/4) X[m, 4*k] * X[m, 4*k + 1]                           X.pairs
//   Y[m, n]    = sum(k < K/4) (X[m, 4*k] + W[4*k + 1, n]) * (X[m, 4*k + 1] + W[4*k, n])
//                           + X[m, 4*k + 2] * W[4*k + 2, n]
//                           + X[m, 4*k + 3] * W[4*k + 3, n]
//                - X.pairs[m] - W.pairs[n] + bias[n]                              gmm
//
// With scale=16 the weights are stored 16 times as large (core/ir/layout/layout.h), and so is all
// of the last stage's sum before the bias:
//
//   Y[m, n]    = sum(k < K/4) (…) * 0.0625 + bias[n]                              gmm
//
// With apart=16 the four are 64*k + l and 16, 32 and 48 more, with l < 16, so that X.pairs
// multiplies whole vectors:
//
//   X.pairs[m] = sum(k < K/64, l < 16) X[m, 64*k + l] * X[m, 64*k + l + 16]
//
// With signs=2 a group has twice as many, and its second pair subtracts what the first one adds:
//
//   a·b + c·d = (d - a)·(c - b) + a·c + b·d
//
//   X.pairs[m] = sum(k < K/8) (X[m, 8*k] * X[m, 8*k + 1] - X[m, 8*k + 4] * X[m, 8*k + 5])
//
// so that the sum stays as small as that of the products: what pairs of one sign add to it grows
// with K where activations have a mean, as behind a relu, and its last digits are lost.
//
// The last stage keeps the axes, layouts and loops of the definition; lowering takes its products
// by fours where a loop of k counts elements `apart` from each other
// (primitives/lowering/nest/paired_sum.h).
//
// Why: cores that add on other units than they multiply (AMD's since Zen) are busy with half of
// what they could do in a sum of products. Pairs of half the products keep both kinds at work:
// three multiply-adds and two additions instead of four multiply-adds, in three quarters of the
// time. Where both share their units it is slower, so a space offers it and measurements decide.
//
// Requires: 1) of >= 2, apart >= 1, signs 1 or 2; 2) a sum of products of two tensors, one of which
// is a constant; 3) an axis of the reduction that both tensors have as an index alone, whose extent
// of*apart*signs divides; 4) a loop that steps along it by `apart`, of an extent that of*signs
// divides; 5) a scale that is a power of two from 1 to 64, and one of more than 1 for a constant of
// floating point that nothing else in the region reads.
//
// Sums of small integers stay exact. Otherwise results differ from the definition's by more than
// the order of additions does, because what is added has another size than the products: least
// where the stored weights are as large as the activations, and by their ratio where they are not.
// measure/output_check.h says by how much they may.
// After S. Winograd, A New Algorithm for Inner Product, 1968; T. Pogue, N. Nicolici, Fast
// Inner-Product Algorithms and Architectures for Deep Neural Network Accelerators, 2023.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "primitives/algorithm/planned_stage.h"

namespace dovetail {

// The tensor X.pairs of X, and its stage.
std::string sums_of_pairs(const std::string& tensor);

// The axis of that stage over the first elements of a group: i.lane of i.
std::string pair_lanes(const std::string& axis);

// The three stages of `direct`.
Result<std::vector<PlannedStage>> pairs_stages(const PlannedStage& direct,
                                               const algorithm::Pairs& algorithm);

}  // namespace dovetail
