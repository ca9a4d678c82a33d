// SPDX-License-Identifier: Apache-2.0
#pragma once

// Registers that the tiles of a work-item take at each store of a block, those in loops included:
//
//   registers acc[6, 4]
//   acc = 0                                24
//   for k in 0..16
//     registers next[2, 4]
//     next = X[k + 1]                      32       acc is stored to before and read after
//     acc += X.cache * W.cache             32
//     X.cache = next                       32
//   Y = acc                                24
//
// A tile takes registers from the first store that uses it to the last one. If a loop inside its
// block uses it, it takes them throughout the loop. Private tiles count as well: a compiler keeps
// those of constant indices in registers.

#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

std::vector<double> live_tile_registers(const Block& block);  // by store, in order; of 32 bits

}  // namespace dovetail
