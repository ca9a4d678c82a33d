// SPDX-License-Identifier: Apache-2.0
#pragma once

// The alternatives of a product of halves by tensor cores: mma.m16n8k16 of a warp, wgmma of four.
//
//   gmm:b=12,m=128,n=128,k=64 in f16     rows m, columns n, reduction k; b over groups
//
//   register_tile.m   rows of a warp (mma: 16 to 64; wgmma: 64 of four warps)
//   register_tile.n   columns of a warp (mma: 8 to 64; wgmma: 64, 128 or 256 of four warps)
//   cache_tile.m      warps of a group along rows (wgmma: fours of warps)
//   cache_tile.n      warps of a group along columns (mma alone)
//   inner_part.k      elements along k that a group copies to local memory in a round
//   double_buffer     rounds whose copies are loaded while one computes
//   outer_order       groups along rows that follow each other: those at work at the same time then
//                     share operands of a square part, and not of a few whole rows
//   layout_levels.X   wgmma: 1: X in blocks of 8 by 8; 2: and these in tiles that a round copies
//
// Tiles divide their extents: rows and columns of other sizes have the direct sum alone. Operands
// are stored with the reduction innermost, those of wgmma in blocks of 8 by 8 (intrinsic.h), and
// every choice keeps within 128 sums a work-item and the device's local memory.
//
// The default of products of halves where a device has the instructions: the tile that a formula of
// cycles takes for the fastest (tile_cycles.h).

#include <optional>
#include <string>
#include <vector>

#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/region/region.h"
#include "core/ir/target.h"
#include "primitives/space/alternatives.h"

namespace dovetail::tensor_cores {

// An anchor whose element is a product of two halves, each read at plain axes.
struct WarpProduct {
  Axis rows, columns, reduction;
  std::vector<Axis> outer;          // the other output axes, over groups
  std::string by_rows, by_columns;  // tensors that have rows, or columns
  std::string output;
  std::vector<std::string> by_rows_dims, by_columns_dims, output_dims;  // as the tensors have them
  ElementType type = ElementType::f16;
};

// nullopt for other regions, and where 16 rows, 8 columns and 16 of the reduction do not divide.
std::optional<WarpProduct> warp_product(const Region& region);

// Numbers of a trace.
struct WarpTile {
  int64_t rows = 64, columns = 64;          // a warp's, with wgmma those of four
  int64_t row_warps = 1, column_warps = 1;  // in a group; wgmma: fours of warps along rows
  int64_t part = 32;                        // elements of the reduction in a round
  int64_t ahead = 0;                        // rounds whose copies are loaded while one computes
  // Wgmma's operands: blocks of 8 by 8 throughout (1), or inside tiles that a round copies, each of
  // which is contiguous (2).
  int64_t row_levels = 1, column_levels = 1;
  int64_t band = 1;  // groups along rows that follow each other before those of the next columns
};
WarpTile tile_of(const WarpProduct& product, const Choices& choices);
int64_t groups_along_rows(const WarpProduct& product, const WarpTile& tile);

// The intrinsics' names: mma.m16n8k16_f16, wgmma.m64n128k16_f16.
std::string mma_of(ElementType type);
std::string wgmma_of(ElementType type, int64_t columns);

Trace decode_mma(const WarpProduct& product, const WarpTile& tile);
Trace decode_wgmma(const WarpProduct& product, const WarpTile& tile);

// Empty where the region is no such product, or the device lacks the instructions.
std::vector<Alternative> alternatives(const Region& region, const Target& target);

}  // namespace dovetail::tensor_cores
