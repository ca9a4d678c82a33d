// SPDX-License-Identifier: Apache-2.0
//
// Sums and maxima of rows that the work-items of a group share (shared_rows.h): each makes a part
// of the row's, in local memory, and adds up the parts of all of them for itself:
//
//   for i bind group.0                  for i bind group.0
//     for j.0.1 bind thread.0             for j.0.1 bind thread.0
//       D = sum of S[i, ..]        ->       D.rf[j.0.1] = sum of S[i, 4*j.0.1 .. 4*j.0.1 + 4]
//       …                                   barrier
//                                           D = sum of D.rf[..]
//
// Neighbours read neighbouring vectors of the row. Adding up all parts costs each work-item more
// than a tree would, and saves the tree's barriers and the one after it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/memory_bound/plan.h"

namespace dovetail::memory_bound {

// Elements that neighbour each other in a part, where so many work-items can share what this stage
// reduces; nullopt: they cannot do so evenly.
std::optional<int64_t> lanes_of_part(const Stage& stage, int64_t items, const Target& target);

// Makes the reduction loops of each run adjacent, and fuses them.
void fuse_reductions(const Stage& stage, std::vector<LoopPrimitive>& list);

// The lines of the stage, and of its parts. `loop`: the root's, over `items` work-items.
std::vector<StageLoops> row_sum_loops(const Stage& stage, const std::string& loop, int64_t items,
                                      int64_t lanes);

}  // namespace dovetail::memory_bound
