// SPDX-License-Identifier: Apache-2.0
//
// How a kernel's outer loops are distributed: bound to the axes of a device, or in parallel parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"

namespace dovetail {

// Binds loops, outermost first, to the device axes of which `innermost` is number 0: the last of
// them to it. Beyond three the outermost are fused. Returns the names of the bound loops.
//
//   a, b, c, d to group_0     fuse(a, b) ; bind(a_b, group.2) ; bind(c, group.1) ; bind(d, group.0)
std::vector<std::string> bind_loops(std::vector<std::string> loops, ThreadAxis innermost,
                                    std::vector<LoopPrimitive>& list);

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
