// SPDX-License-Identifier: Apache-2.0
//
// The alternative that computes a convolution by Winograd's algorithm. Parameters are those of its
// matrix product, derived by the usual rule; the layouts of the other tensors follow from them.
//
//   product   Y.wino[ah, aw, n, o, th, tw] += X.wino[ah, aw, n, i, th, tw] * W.wino[ah, aw, o, i]
//   X         channels in the blocks of X.wino, so that the input transform reads whole vectors
//   W         channels innermost (read once, at build time)
//   Y         channels in the blocks of Y.wino, padded to whole tiles and cut at them
//
// The transforms have their default loops (primitives/loop/default_loops.h). The product's loops
// over transformed coordinates stay outermost: each coordinate is a matrix product of its own,
// whose weights are then read once.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/operator.h"
#include "core/ir/target.h"
#include "primitives/algorithm/winograd.h"
#include "primitives/space/alternatives.h"
#include "primitives/space/winograd/winograd_plan.h"

namespace dovetail {

// Fails, in one line, for an operator that Winograd does not compute.
Result<WinogradPlan> winograd_plan(const Operator& op, const algorithm::Winograd& algorithm,
                                   const Target& target);

// winograd_4 and, where it is worth offering, winograd_4_inner (inner_weights.h). Empty where
// Winograd does not apply. With a `layout`, the input, the output and the transformed tensors have
// it, planes outermost; empty where its channels are not innermost.
std::vector<Alternative> winograd_alternatives(
    const Operator& op, const Target& target, int64_t tile,
    const std::optional<FixedLayout>& layout = std::nullopt);

}  // namespace dovetail
