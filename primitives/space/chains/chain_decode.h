// SPDX-License-Identifier: Apache-2.0
//
// Decodes a point of a chain's space: each stage is decoded alone, and attached stages run inside
// the loop over rounds of their host.
//
//   loops Y: split(loop=h, factor=4) … reorder(h.0, …) …
//   loops D: compute_at(stage=Y, loop=h.0, scope=workspace) ; …
//   loops E: compute_at(stage=Y, loop=h.0, scope=workspace) ; roll(y) ; …
#pragma once

#include <vector>

#include "core/ir/schedule/trace.h"
#include "primitives/space/chains/chain.h"
#include "primitives/space/choices.h"

namespace dovetail {

// `choices`: one for each stage.
Trace decode(const Chain& chain, const ChainPlan& plan, const Target& target,
             const std::vector<Choices>& choices);

// Whether rounds of the kernel run in sequence, in one thread or in one part per thread, so that
// shared rows need not be computed again.
bool rounds_follow(const Chain& chain, const ChainPlan& plan, size_t host, const Target& target);

}  // namespace dovetail
