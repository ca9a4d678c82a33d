// SPDX-License-Identifier: Apache-2.0
//
// How a kernel's outer loops are distributed: bound to the axes of a device, or in parallel parts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

// Binds loops, outermost first, to the device axes of which `innermost` is number 0: the last of
// them to it. Beyond three the outermost are fused. Returns the names of the bound loops.
//
//   a, b, c, d to group_0     fuse(a, b) ; bind(a_b, group.2) ; bind(c, group.1) ; bind(d, group.0)
std::vector<std::string> bind_loops(std::vector<std::string> loops, ThreadAxis innermost,
                                    std::vector<LoopPrimitive>& list);

using LoopExtents = std::map<std::string, int64_t>;

// The same for work-items, within the target's limits along each axis: where the loops exceed one,
// others take that axis, the innermost last; where no order fits, more of the outermost are fused.
//
//   fuse(a, b) of 77, c of 4, d of 3, at most 64 along thread.2
//       bind(a_b, thread.1) ; bind(c, thread.2) ; bind(d, thread.0)
std::vector<std::string> bind_items(std::vector<std::string> loops, LoopExtents extents,
                                    const Target& target, std::vector<LoopPrimitive>& list);
// Whether that fuses loops.
bool fuses_items(const std::vector<std::string>& loops, const LoopExtents& extents,
                 const Target& target);

// Splits the first of these loops, over `rounds` rounds of a kernel, into few parallel parts:
//
//   for h.0 in 0..28      ->      for h.0.0 in 0..2 parallel
//     …                             for h.0.1 in 0..14
//                                     …
//
// Each iteration of a parallel loop has its own workspace, and many of those stay in no cache.
struct ParallelChunks {
  std::optional<loop::Split> split;  // nullopt: the first loop is parallel as it is
  std::vector<std::string> loops;    // outermost first; the first is parallel
};
ParallelChunks parallel_chunks(std::vector<std::string> loops, int64_t rounds, int64_t threads);

}  // namespace dovetail
