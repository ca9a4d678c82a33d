// SPDX-License-Identifier: Apache-2.0
//
// Staged copies: how a device moves elements that are read along one axis and written along
// another.
//
//   for a in 0..16 bind group.2
//     for b.0 in 0..98 bind group.1, d.0 in 0..2 bind group.0
//       local A.cache[32 rows of 33]
//       A.cache[…] = A[…]                       neighbours read along b
//       barrier
//       for b.1.0 in 0..8 bind thread.1, d.1 in 0..32 bind thread.0
//         for b.1.1 in 0..4 unrolled
//           B[a, 32*b.0 + 4*b.1.0 + b.1.1, 32*d.0 + d.1] = A.cache[…]      neighbours write along d
//
// Why: a device coalesces accesses of neighbouring work-items only where these are adjacent. A tile
// in local memory can be read along either axis; its rows are padded by one element, so that a
// column does not fall into one bank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/memory_bound/stage_choices.h"

namespace dovetail::memory_bound {

// Tile sizes along an axis of this extent; empty where it has no such divisors.
std::vector<int64_t> staged_tiles(int64_t extent, const Target& target);

std::vector<LoopPrimitive> staged_copy_loops(const Stage& stage, const StageChoices& choices);

}  // namespace dovetail::memory_bound
