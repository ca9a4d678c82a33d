// SPDX-License-Identifier: Apache-2.0
//
// The alternatives of a product of halves by tensor cores: mma.m16n8k16 of a warp, wgmma of four.
//
//   register_tile.m   rows of a warp (mma: 16 to 64; wgmma: 64 or 128 of four warps)
//   register_tile.n   columns of a warp (mma: 8 to 64; wgmma: 16 to 256 of four warps)
//   cache_tile.m      warps of a group along rows (wgmma: fours of warps)
//   cache_tile.n      warps of a group along columns (mma alone)
//   inner_part.k      elements along k that a group copies to local memory in a round
//   inner_part.kh     taps of a window that a round has: one, or all
//   reduction_parts.k parts of the reduction that groups sum up apart, where groups are few
//   double_buffer     rounds whose copies are loaded while one computes
//   rounds_behind     wgmma: 1: the last round's products may run while a round's are issued
//   outer_order       groups along rows that follow each other: those at work at the same time then
//                     share operands of a square part, and not of a few whole rows
//   layout_levels.X   wgmma: 1: X in blocks of 8 by 8; 2: and these in tiles that a round copies
//   layout_levels.Y   wgmma: 0: rows of columns; 1: blocks, as the next convolution reads them
//
// m, n, k: the product's rows, columns and reduction (warp_product.h). Every choice keeps within
// 128 sums a work-item and the device's local memory.
//
// The default of products of halves where a device has the instructions: the tile that a formula of
// cycles takes for the fastest (tile_cycles.h).
#pragma once

#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/target.h"
#include "primitives/space/alternatives.h"

namespace dovetail::tensor_cores {

// Empty where the region is no such product, or the device lacks the instructions.
std::vector<Alternative> alternatives(const Region& region, const Target& target);

}  // namespace dovetail::tensor_cores
