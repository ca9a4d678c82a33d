// SPDX-License-Identifier: Apache-2.0
//
// Stages inside another stage's loops, as statements. A stage attached to loop k:
//
//   for k in 0..4                     private              local
//     use(k)                          for k in 0..4        for k in 0..4
//                                       private t[n]         local t[n]
//                                       fill (k)             barrier
//                                       use (k)              fill (k)
//                                                            barrier
//                                                            use (k)
//
// Copies that rounds use in turn are in rounds_in_turn.h.
//
// A ring keeps elements that the next round reads, too. Its stage has rounds of its own, of which
// the first are a prologue to the reader's. A tile in workspace is a buffer, without a declaration.
//
//     private t[n]
//     fill (0)               rounds ahead: here one
//     for k in 0..4
//       fill (k + 1)         only what the rounds before did not make
//       use (k)
//
// Names: in a schedule each stage names its own loops, and those around it are STAGE.LOOP. In a
// kernel the root stage's loops have their plain names, the others' are STAGE.LOOP.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"
#include "primitives/lowering/nest/access.h"

namespace dovetail {

// A stage attached to the current one, and the statements that compute its part.
struct Fill {
  const Stage* stage = nullptr;
  size_t position = 0;  // number of the reader's loops around it
  Block nest;
};

const std::string& tile_of(const Fill& fill);
bool is_local(const Fill* fill);

// Declares the tile, all its copies; a buffer in workspace has no declaration.
void declare_part(const Fill& fill, Block& block);
size_t attached_position(const Stage& attached, const Stage& reader);
// True when iterations of the loop may run at the same time.
bool is_shared(const StageLoop& loop);
// The loop of the reader over whose rounds the stage's ring keeps elements.
const StageLoop& rolled_loop(const Stage& attached);
// Extents of a tile. In workspace it has one more in front for each parallel or bound loop around:
// a kernel knows which iteration it runs, but not which worker it is.
std::vector<int64_t> tile_extents(const Attachment& attachment);
// Tiles in memory have their tensor's type, but for f64, which is computed in f32. Registers and
// private arrays hold real numbers in f32, so that each element is converted once and not at each
// of its reads.
ElementType type_in_tile(ElementType stored, TileScope scope);
// The program's buffer of a tile in workspace.
Buffer workspace_buffer(const Stage& maker, const ScheduledTensor& tensor);
// Indices in the tile of the tensor's element with these physical indices.
std::vector<IndexExpr> tile_indices(const std::vector<IndexExpr>& physical, const Stage& maker);
// Indices at which the stage stores its element: in its tensor, or in its tile.
std::vector<IndexExpr> stored_indices(const Stage& stage);
// Drops implied bounds: the tile of a copy has the outside value beyond the tensor's end.
void drop_implied_bounds(RewrittenAccess& access);

// Puts the stages attached at this position in front of the block.
Block with_fills(const std::vector<Fill>& fills, size_t position, const Stage& reader, Block inner);
// Puts a stage's loop around `inner`.
Block block_of(const StageLoop& loop, Block inner);
// Puts a loop of the reader around `inner`, with the stages attached to that loop.
Block loop_with_fills(const StageLoop& loop, const std::vector<Fill>& fills, size_t position,
                      const Stage& reader, Block inner);

// The stages of `root`'s kernel, itself first, ready to be built: loops of one iteration are
// dropped, annotations checked, and names are those of the kernel.
Result<std::vector<Stage>> kernel_stages(const Schedule& schedule, const Stage& root,
                                         const Target& target);

// Distributes the nest of a local tile over a group's work-items: loops bound to them vanish.
Block shared_among_items(const Block& nest, const Stage& stage);

}  // namespace dovetail
