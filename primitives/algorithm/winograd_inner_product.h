// SPDX-License-Identifier: Apache-2.0
//
// winograd_inner_product(of=4, apart=1): of each four elements along the reduction, `apart` from
// each other, the first two are multiplied as a pair, which trades a multiply-add for two
// additions:
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
//                - X.pairs[m] - W.pairs[n] + bias[n]                              gmm
//
// With scale=16 the weights are stored 16 times as large (core/ir/layout/layout.h), and so is all
// that is added to them; the last stage scales its sum back before it adds the bias:
//
//   Y[m, n]    = sum(k < K/4) (…) * 0.0625 + bias[n]                              gmm
//
// With apart=16 the four elements of a group are 64*k + l and 16, 32 and 48 more, with l < 16, so
// that X.pairs multiplies whole vectors:
//
//   X.pairs[m] = sum(k < K/64, l < 16) X[m, 64*k + l] * X[m, 64*k + l + 16]
//
// With signs=2 a group has twice as many elements; its second pair subtracts what the first adds:
//
//   a·b + c·d = (d - a)·(c - b) + a·c + b·d
//
//   X.pairs[m] = sum(k < K/8) (X[m, 8*k] * X[m, 8*k + 1] - X[m, 8*k + 4] * X[m, 8*k + 5])
//
// so that the sum stays as small as that of the products. With one sign, the extra terms grow with
// K where activations have a nonzero mean, as after a relu, and the sum's last digits are lost.
//
// The last stage keeps the axes, layouts and loops of the definition; lowering groups its products
// by four where a loop over k steps by `apart` (primitives/lowering/nest/paired_sum.h).
//
// Why: on cores with separate units for additions and multiply-adds (AMD since Zen), a sum of
// products leaves half of the units idle. Pairing half of the products uses both kinds: three
// multiply-adds and two additions instead of four multiply-adds, in three quarters of the time.
// Where both share units it is slower, so a space offers it and measurements decide.
//
// Requires: 1) of >= 2, apart >= 1, signs 1 or 2; 2) a sum of products of two tensors, one of which
// is a constant; 3) an axis of the reduction that both tensors have as an index alone, whose extent
// of*apart*signs divides; 4) a loop that steps along it by `apart`, whose extent of*signs divides;
// 5) a scale that is a power of two from 1 to 64, and above 1 only for a floating-point constant
// that nothing else in the region reads.
//
// Sums of small integers stay exact. Otherwise results differ from the definition's by more than
// the order of additions would explain, because the numbers that are added differ in size from the
// products: least where stored weights are as large as activations, else in proportion to their
// ratio. measure/check/output_check.h has the tolerance.
// After S. Winograd, A New Algorithm for Inner Product, 1968; T. Pogue, N. Nicolici, Fast
// Inner-Product Algorithms and Architectures for Deep Neural Network Accelerators, 2023.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "primitives/algorithm/planned_stage.h"

namespace dovetail {

// X.pairs for X: name of the tensor, and of its stage.
std::string sums_of_pairs(const std::string& tensor);

// Axis of that stage over the first elements of a group: i.lane for i.
std::string pair_lanes(const std::string& axis);

// The three stages of `direct`.
Result<std::vector<PlannedStage>> inner_product_stages(
    const PlannedStage& direct, const algorithm::WinogradInnerProduct& algorithm);

}  // namespace dovetail
