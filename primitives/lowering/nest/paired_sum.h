// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sum of a stage with pairs (primitives/algorithm/winograd_inner_product.h), in terms of its
// loops:
//
//   for i.0 in 0..16, i.1 in 0..4 { acc += X[4*i.0 + i.1] * W[4*i.0 + i.1] }
// ->
//   for i.0 in 0..16
//     acc += (X[4*i.0] + W[4*i.0 + 1]) * (X[4*i.0 + 1] + W[4*i.0])
//     acc += X[4*i.0 + 2] * W[4*i.0 + 2]
//     acc += X[4*i.0 + 3] * W[4*i.0 + 3]
//
// With two signs the unrolled loops of a tile run once for each: six dependent multiply-adds to one
// sum would take longer than a core looks ahead (133 instead of 141 GFLOP/s on a Zen 4):
//
//   for i.0 in 0..8
//     for m unrolled { acc[m] += (X[m, 8*i.0] + W[8*i.0 + 1]) * …, and two products }
//     for m unrolled { acc[m] += (W[8*i.0 + 5] - X[m, 8*i.0 + 4]) * …, and two products }

#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// Turns the loop over the elements of a group into one over groups, or removes it where there is
// one group. Without pairs, returns the stage as it is.
Result<Stage> with_paired_loop(const Stage& stage);

// Number of innermost loops of such a stage that are inside the loop over groups and belong only to
// its tile, unrolled or vectorized.
size_t unrolled_inside_pairs(const Stage& stage);

// The values that one iteration of such a stage adds up, in order, those of one sign before those
// of the other; `read` returns the value of an access over the axes.
Result<std::vector<Value>> paired_elements(const Stage& stage,
                                           const std::function<Result<Value>(const Access&)>& read);

}  // namespace dovetail
