// SPDX-License-Identifier: Apache-2.0
//
// Stages inside another stage's loops, as statements. Of one that is attached to loop k:
//
//   for k in 0..4                     private              local                 local, two copies
//     use(k)                          for k in 0..4        for k in 0..4         local t[2, n]
//                                       private t[n]         local t[n]          fill 0 (0)
//                                       fill (k)             barrier             for k in 0..3
//                                       use (k)              fill (k)              barrier
//                                                            barrier               fill (k + 1)
//                                                            use (k)               use k mod 2 (k)
//                                                                                barrier
//                                                                                use 1 (3)
//
// Names: in a schedule each stage has its own names of loops, and calls those around it STAGE.LOOP.
// In a kernel the root stage's loops have their plain names, the others' are STAGE.LOOP.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"
#include "primitives/lowering/access.h"

namespace dovetail {

// A stage that is attached to the one at hand, and the statements that make its part.
struct Fill {
  const Stage* stage = nullptr;
  size_t position = 0;  // how many loops of the reader are around it
  Block nest;
};

size_t attached_position(const Stage& attached, const Stage& reader);
std::vector<int64_t> tile_extents(const Attachment& attachment);
// Where a tile holds the tensor's element with these physical indices.
std::vector<IndexExpr> tile_indices(const std::vector<IndexExpr>& physical, const Stage& maker);
// The tile of a copy holds zeros where the tensor ends, so that who reads it need not ask.
void drop_implied_bounds(RewrittenAccess& access);

// The block with what is attached at this position before it.
Block with_fills(const std::vector<Fill>& fills, size_t position, const Stage& reader, Block inner);
// The loop around `inner`, of the reader, with what is attached to it.
Block loop_with_fills(const StageLoop& loop, const std::vector<Fill>& fills, size_t position,
                      const Stage& reader, Block inner);

// The stages of the kernel of `root`, itself first, ready to be built: without loops of one
// iteration, annotations checked, names those of the kernel.
Result<std::vector<Stage>> kernel_stages(const Schedule& schedule, const Stage& root,
                                         const Target& target);

// Of a local tile's nest: loops over work-items become these themselves.
Block shared_among_items(const Block& nest, const Attachment& attachment);

}  // namespace dovetail
