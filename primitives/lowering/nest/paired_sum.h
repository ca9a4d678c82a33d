// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sum of a stage with pairs (primitives/algorithm/pairs.h), in terms of its loops:
//
//   for i.0 in 0..16, i.1 in 0..4 { acc += X[4*i.0 + i.1] * W[4*i.0 + i.1] }
// ->
//   for i.0 in 0..16
//     acc += (X[4*i.0] + W[4*i.0 + 1]) * (X[4*i.0 + 1] + W[4*i.0])
//     acc += X[4*i.0 + 2] * W[4*i.0 + 2]
//     acc += X[4*i.0 + 3] * W[4*i.0 + 3]

#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// The stage with the loop that steps from element to element of a group counting groups instead;
// without that loop where there is one group. Without pairs, the stage as it is.
Result<Stage> with_paired_loop(const Stage& stage);

// What is added up in one iteration of such a stage, one value after the other; `read` gives the
// value of an access over the axes.
Result<std::vector<Value>> paired_elements(const Stage& stage,
                                           const std::function<Result<Value>(const Access&)>& read);

}  // namespace dovetail
