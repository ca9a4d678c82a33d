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
// A ring keeps what the next round reads, too. Its stage counts rounds of its own, the first of
// which come before the reader's. In workspace a tile is a buffer and is declared nowhere.
//
//     private t[n]
//     fill (0)               rounds ahead: here one
//     for k in 0..4
//       fill (k + 1)         only what the rounds before did not make
//       use (k)
//
// Names: in a schedule each stage has its own names of loops, and calls those around it STAGE.LOOP.
// In a kernel the root stage's loops have their plain names, the others' are STAGE.LOOP.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"
#include "primitives/lowering/nest/access.h"

namespace dovetail {

// A stage that is attached to the one at hand, and the statements that make its part.
struct Fill {
  const Stage* stage = nullptr;
  size_t position = 0;  // how many loops of the reader are around it
  Block nest;
};

size_t attached_position(const Stage& attached, const Stage& reader);
// True when iterations of the loop may run at the same time.
bool is_shared(const StageLoop& loop);
// The stage's ring keeps elements from round to round of this loop of the reader.
const StageLoop& rolled_loop(const Stage& attached);
// In workspace a tile has one more extent in front for each loop around that is shared: a kernel
// knows which iteration it runs, but not which worker it is.
std::vector<int64_t> tile_extents(const Attachment& attachment);
// In the program, a tile in workspace is this buffer.
Buffer workspace_buffer(const Stage& maker, const ScheduledTensor& tensor);
// The tile holds the tensor's element with these physical indices there.
std::vector<IndexExpr> tile_indices(const std::vector<IndexExpr>& physical, const Stage& maker);
// Says where the stage stores its element: in its tensor, or in its tile.
std::vector<IndexExpr> stored_indices(const Stage& stage);
// The tile of a copy holds zeros where the tensor ends, so that who reads it need not ask.
void drop_implied_bounds(RewrittenAccess& access);

// The stages attached at this position come before the block.
Block with_fills(const std::vector<Fill>& fills, size_t position, const Stage& reader, Block inner);
// The loop of a stage is put around `inner`.
Block block_of(const StageLoop& loop, Block inner);
// A loop of the reader is put around `inner`, with what is attached to that loop.
Block loop_with_fills(const StageLoop& loop, const std::vector<Fill>& fills, size_t position,
                      const Stage& reader, Block inner);

// The kernel of `root` has these stages, itself first. They are ready to be built: loops of one
// iteration are dropped, annotations checked, and names are those of the kernel.
Result<std::vector<Stage>> kernel_stages(const Schedule& schedule, const Stage& root,
                                         const Target& target);

// The work-items of a group share the nest of a local tile: loops that are bound to them vanish.
Block shared_among_items(const Block& nest, const Stage& stage);

}  // namespace dovetail
