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
// One level is ALT's template; two make what a cache block of the loops works on contiguous. Blocks
// end where the loops are cut: layout_block.T.a counts tiles of T's layout up to the register tile,
// the cache tile (of a reduction: the unrolled and the inner part) or the whole axis, so that
// indices stay affine. Where an axis has such a cut, the second level takes one of them: switching
// layout_levels.T to 2 changes the layout at once. Windows and the first level's tiles are inside
// the block; what is not cut stays outside. Of an input's rows only windows that are tiles can be
// in blocks (unfold_tile).
//
// Why a switch per tensor: papers compare one level with two (ALT found no clear gain in its
// budget), and output, input and weights gain apart. Samples leave each at one level 80 times of
// 100: about half of them are of one level throughout.
#pragma once

#include <memory>

#include "primitives/space/parameter_list.h"
#include "primitives/space/structure.h"

namespace dovetail {

// layout_levels.T of each tensor that has something to cut: early, so that counting may split on
// them.
void add_levels(const Structure& structure, ParameterList& list);
// layout_block.T.a, after the tiles of the first level.
void add_blocks(const std::shared_ptr<const Structure>& structure, ParameterList& list);

}  // namespace dovetail
