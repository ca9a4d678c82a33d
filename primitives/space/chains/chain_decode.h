// SPDX-License-Identifier: Apache-2.0
//
// The trace of a point of a chain's space: each stage as it is decoded alone, and those in rounds
// attached to the loop over rounds of the kernel that they run in.
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

// Rounds of the kernel follow each other, in one thread or in a part for each: then what they share
// need not be made again.
bool rounds_follow(const Chain& chain, const ChainPlan& plan, size_t host, const Target& target);

}  // namespace dovetail
