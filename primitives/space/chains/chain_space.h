// SPDX-License-Identifier: Apache-2.0
//
// The space of a chain: each stage's own parameters, prefixed with the name of its output, and in
// front of them where each stage runs and how many rows a round has.
//
//   compute_at.E    apart workspace  E is made in rounds of its reader
//   compute_at.D    apart workspace
//   cache_tile.Y.h   1 2 4 7 8       rows of a round
//   Y.register_tile.o …              of the last stage; then those of D, then those of E
//
// Register tiles of a stage in rounds divide the rows of one round; its storage is neither padded
// nor tiled, except for its vectors. A tensor between two stages has its producer's layout: blocks
// of one vector of channels.
#pragma once

#include "primitives/space/chains/chain.h"
#include "primitives/space/choices.h"
#include "primitives/space/space.h"

namespace dovetail {

Space chain_space(const TaskSpec& spec, const Target& target, const Chain& chain);

// The values of a stage's parameter that a plan allows, at least one. `choices`: the stage's
// choices so far.
std::vector<int64_t> allowed_in_plan(const Chain& chain, const ChainPlan& plan, size_t stage,
                                     const ParameterId& id, std::vector<int64_t> values,
                                     const Choices& choices);

}  // namespace dovetail
