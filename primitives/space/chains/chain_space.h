// SPDX-License-Identifier: Apache-2.0
//
// The space of a chain: for each stage the parameters that it has alone, called after what it
// makes, and in front of them where each stage runs and how many rows a round makes.
//
//   made_at.E    apart workspace     E is made in rounds of its reader
//   made_at.D    apart workspace
//   cache_tile.Y.h   1 2 4 7 8       rows of a round
//   Y.register_tile.o …              of the last stage; then those of D, then those of E
//
// A stage in rounds is cut by what one round makes of it: its register tiles divide those rows, its
// storage is neither padded nor in tiles but for its vectors. What two stages share has one layout,
// its maker's: blocks of a vector of channels.
#pragma once

#include "primitives/space/chains/chain.h"
#include "primitives/space/choices.h"
#include "primitives/space/space.h"

namespace dovetail {

Space chain_space(const TaskSpec& spec, const Target& target, const Chain& chain);

// Which values of a stage's parameter a plan leaves; never none. `choices` are those of the stage
// so far.
std::vector<int64_t> allowed_in_plan(const Chain& chain, const ChainPlan& plan, size_t stage,
                                     const ParameterId& id, std::vector<int64_t> values,
                                     const Choices& choices);

}  // namespace dovetail
