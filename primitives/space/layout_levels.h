// SPDX-License-Identifier: Apache-2.0
//
// Layout templates of two levels: tiles, and blocks of tiles that are stored together.
//
//   levels.Y=1   Y.o=16               n o.0 h w o.1
//                                     n o/16   h w   16o
//   levels.Y=2   Y.o=16 block.Y.o=4   n o.0.0 h.0 w.0 | o.0.1 h.1 w.1 | o.1
//                Y.h=0  block.Y.h=8   n o/64 h/8 w/14 | 4o    8h  14w | 16o
//                Y.w=0  block.Y.w=14
//
// One level is ALT's template; two make what a cache block of the loops works on contiguous. Blocks
// end where the loops are cut: block.T.a counts tiles of T.a up to the register tile, the cache
// tile (of a reduction: the unrolled and the inner part) or the whole axis, so that indices stay
// affine. Where an axis has such a cut, the second level takes one of them: switching levels.T to 2
// changes the layout at once. Windows and the first level's tiles are inside the block; what is not
// cut stays outside. Of an input's rows only windows that are tiles can be in blocks
// (unfold_tile).
//
// Why a switch per tensor: papers compare one level with two (ALT found no clear gain in its
// budget), and output, input and weights gain apart. Samples leave each at one level 80 times of
// 100: about half of them are of one level throughout.
#pragma once

#include <memory>

#include "primitives/space/parameter_list.h"
#include "primitives/space/structure.h"

namespace dovetail {

// levels.T of each tensor that has something to cut: early, so that counting may split on them.
void add_levels(const Structure& structure, ParameterList& list);
// block.T.a, after the tiles of the first level.
void add_blocks(const std::shared_ptr<const Structure>& structure, ParameterList& list);

}  // namespace dovetail
