// SPDX-License-Identifier: Apache-2.0
//
// Where a tile lives: the part of a tensor that a round of a loop makes and reads.
//
//   registers   in registers, where loops that are written out make its indices numbers
//   private     memory of one thread: on a CPU its stack, which stays in the nearest cache
//   local       memory that the work-items of a group share; never on a CPU
//   workspace   memory of the program's plan, one part for each iteration that may run at the same
//               time: for parts that no stack holds
//
// A tensor that outlives a kernel has a MemoryScope instead (core/ir/layout/layout.h): that is how
// its whole storage looks from outside, and no tile has it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

enum class TileScope : uint8_t { registers, private_, local, workspace };

std::string print(TileScope scope);  // registers, private, local, workspace
Result<TileScope> parse_tile_scope(std::string_view text);

}  // namespace dovetail
