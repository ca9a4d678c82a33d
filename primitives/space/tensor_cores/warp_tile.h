// SPDX-License-Identifier: Apache-2.0
//
// The tile of a product that a group computes by tensor cores, and what follows from it: the
// elements of each axis in a group, its copies of operands, its rounds. All of it in numbers, so
// that a space can list every tile before it writes a trace.
//
//   wgmma, 64 rows by 128 columns, 16 channels and all taps in a round, of
//   c2d:n=16,ci=256,co=256,h=14,w=14,k=3
//     elements_in_group    n 8, w 8, o 128
//     copied_elements      of X: 8 * 16 * (1 + 2) * (8 + 2), of W: 128 * 16 * 9
//     rounds               16; 8 if groups sum up two parts of the channels
//     groups               2 of n, 14 of h, 2 of w (of which 2 of 16 columns are beyond), 2 of o
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/tensor_cores/warp_product.h"

namespace dovetail::tensor_cores {

inline constexpr int64_t kWarp = 32;  // work-items

// mma: a warp's, 16 rows by 8 columns by 16. wgmma: four warps', 64 rows by up to 256 columns.
enum class Instruction : uint8_t { mma, wgmma };

struct WarpTile {
  Instruction instruction = Instruction::wgmma;
  int64_t rows = 64, columns = 64;          // a warp's, with wgmma those of four
  int64_t row_warps = 1, column_warps = 1;  // in a group; wgmma: fours of warps along rows
  int64_t part = 32;                        // elements of the reduction in a round
  int64_t parts = 1;   // the reduction is cut in: groups sum them up apart, a second kernel adds
  uint64_t taps = 0;   // bit i: a round has all taps of window i, else one of them
  int64_t ahead = 0;   // rounds whose copies are loaded while one computes
  int64_t behind = 0;  // rounds whose products may still run while one's are issued
  // Wgmma's operands: blocks of 8 by 8 throughout (1), or inside tiles that a round copies, each of
  // which is contiguous (2). Its output: rows with columns innermost (0), or such blocks (1).
  int64_t row_levels = 1, column_levels = 1, output_levels = 0;
  int64_t band = 1;  // groups along rows that follow each other before those of the next columns
};
WarpTile tile_of(const WarpProduct& product, Instruction instruction, const Choices& choices);

int64_t warps_together(Instruction instruction);  // that share an instruction: 1 or 4
int64_t work_items(const WarpTile& tile);
int64_t registers(const WarpTile& tile);  // that a work-item has
int64_t row_tiles(const WarpTile& tile);  // instructions one below the other in a warp's tile

bool has_taps(const WarpTile& tile, size_t window);

// Elements along an axis of rows or columns that a group computes; 1 along the others.
int64_t elements_in_group(const WarpProduct& product, const WarpTile& tile,
                          const std::string& axis);
int64_t groups_along(const WarpProduct& product, const WarpTile& tile, const Axis& axis);
int64_t groups(const WarpProduct& product, const WarpTile& tile);

// The axis along which a warp has several of the instruction's rows: one that they divide. nullopt
// where there is none.
std::optional<Axis> axis_of_row_tiles(const WarpProduct& product, const WarpTile& tile);

// Elements along a dim of what a round copies, or of an operand's part that a group reads.
int64_t copied_extent(const WarpProduct& product, const WarpTile& tile, const OperandDim& dim);
int64_t copied_elements(const WarpProduct& product, const WarpTile& tile,
                        const ProductOperand& operand);

int64_t rounds(const WarpProduct& product, const WarpTile& tile);
int64_t terms_in_round(const WarpProduct& product, const WarpTile& tile);
int64_t copies_in_turn(const WarpTile& tile);                           // that each operand has
int64_t local_bytes(const WarpProduct& product, const WarpTile& tile);  // all copies
// Bytes that a round's instructions read from local memory, some of them several times.
int64_t read_bytes(const WarpProduct& product, const WarpTile& tile);

// Elements that the groups compute for each that is asked for: 1 where tiles divide their axes.
double computed_share(const WarpProduct& product, const WarpTile& tile);

// The elements after a row of a copy, so that rows are in other banks of local memory.
int64_t row_pad(Instruction instruction);

Trace decode(const WarpProduct& product, const WarpTile& tile, const Target& target);

}  // namespace dovetail::tensor_cores
