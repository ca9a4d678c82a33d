// SPDX-License-Identifier: Apache-2.0
//
// Layout templates of two levels: tiles, and blocks of tiles that are stored together.
//
//   layout_levels.Y=1   layout_tile.Y.o=16
//       n o.0 h w o.1
//       n o/16   h w   16o
//   layout_levels.Y=2   layout_tile.Y.o=16 layout_block.Y.o=4
//                       layout_tile.Y.h=0  layout_block.Y.h=8
//                       layout_tile.Y.w=0  layout_block.Y.w=14
//       n o.0.0 h.0 w.0 | o.0.1 h.1 w.1 | o.1
//       n o/64 h/8 w/14 | 4o    8h  14w | 16o
//
// One level is ALT's template; the second makes the working set of a cache block contiguous. Blocks
// end where the loops are split: layout_block.T.a counts tiles of T's layout up to the register
// tile, the cache tile (of a reduction: the unrolled and the inner part) or the whole axis, so that
// indices stay affine. An axis with such a split always uses one, so that switching layout_levels.T
// to 2 changes the layout at once. Windows and the first level's tiles are inside the block;
// unsplit axes stay outside. Rows of an input can be blocked only where they are stored as windows
// of tiles (unfold_tile).
//
// Why a switch per tensor: papers compare one level with two (ALT found no clear gain in its
// budget), and output, input and weights gain independently. Each has one level in 80 of 100
// samples: about half of the samples have one level throughout.
#pragma once

#include <memory>

#include "primitives/space/contraction/contraction_facts.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {

// Adds layout_levels.T for each tensor that can be tiled; early, so that counting may fix them
// first.
void add_levels(const ContractionFacts& facts, ParameterList& list);
// Adds layout_block.T.a; must follow the tiles of the first level.
void add_blocks(const std::shared_ptr<const ContractionFacts>& facts, ParameterList& list);

}  // namespace dovetail
