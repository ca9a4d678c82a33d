// SPDX-License-Identifier: Apache-2.0
//
// The tiles that a device has room for, as a table: a column for each parameter of a space, a row
// for each tile, in lexicographic order. So the values of a parameter that some tile has together
// with all earlier choices are one range of rows.
//
//   register_tile.n  register_tile.o  cache_tile.n  cache_tile.o  inner_part.i  …
//   64               64               1             1             16
//   64               64               1             1             32
//   64               128              1             1             16
#pragma once

#include <string>
#include <vector>

#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/tensor_cores/warp_tile.h"

namespace dovetail::tensor_cores {

// One of the two kinds of instructions: what a warp's tile may be.
struct TileKind {
  std::string name;
  Instruction instruction = Instruction::wgmma;
  std::vector<int64_t> rows, columns, row_warps, column_warps;
  int64_t terms_a_cycle = 0;
};

struct TileColumn {
  ParameterId id;
  std::string meaning;
};

class TileList {
 public:
  TileList(const TileKind& kind, const WarpProduct& product, const Target& target);

  bool empty() const { return rows_.empty(); }
  const std::vector<TileColumn>& columns() const { return columns_; }
  // Values of a column among the tiles with these values of all columns before it.
  std::vector<int64_t> values(size_t column, const Choices& choices) const;
  // The tile that takes the fewest cycles by the formula of tile_cycles.h.
  const WarpTile& fastest() const { return fastest_; }
  int64_t value(size_t column, const WarpTile& tile) const { return row_of(tile)[column]; }

 private:
  using Row = std::vector<int64_t>;
  Row row_of(const WarpTile& tile) const;

  const WarpProduct& product_;
  std::vector<TileColumn> columns_;
  std::vector<Row> rows_;
  WarpTile fastest_;
};

}  // namespace dovetail::tensor_cores
