// SPDX-License-Identifier: Apache-2.0
//
// The rounds of a loop that use copies of tiles in turn (double_buffer in loop/caching.h):
//
//   two copies                                  three, filled asynchronously
//
//   local t[2, n]                               local t[3, n]
//   fill 0 (0)                                  fill 0 (0) async
//   for k in 0..3                               barrier leaving 1
//     load (k + 1) into registers               fill 1 (1) async
//     barrier                                   for k in 0..2
//     use k mod 2 (k)                             barrier leaving 1
//     store (k + 1) to (k + 1) mod 2              fill (k + 2) mod 3 (k + 2) async
//   barrier                                       use k mod 3 (k)
//   use 1 (3)                                   for k.last in 0..2
//                                                 barrier leaving 1
//                                                 use (k.last + 2) mod 3 (k.last + 2)
//
// The barrier of a round also keeps it from storing to a copy that work-items still read: its
// predecessor used the one that it fills. Where the use is an instruction that runs on by itself
// (wgmma), it is issued first, and the copies start beside it. With copies of rounds behind, such
// instructions are awaited a round later (double_buffer's behind).
#pragma once

#include <vector>

#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"
#include "primitives/lowering/nest/attached_stages.h"

namespace dovetail {

// All fills have the same number of copies. `repeated`: code around the loop may run it again.
Block rounds_in_turn(const StageLoop& loop, const std::vector<const Fill*>& fills, const Block& use,
                     bool repeated);

}  // namespace dovetail
