// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/warp_tile.h"

#include <algorithm>

#include "core/base/round_up.h"
#include "core/ir/index/range_arithmetic.h"
#include "core/ir/layout/layout.h"

namespace dovetail::tensor_cores {
namespace {

// Rows that one instruction has along the step.
int64_t blocks_of_rows(Instruction instruction) {
  return instruction == Instruction::wgmma ? 8 : 2;
}

// Without those of several instructions: warps of mma lie along the base, those of wgmma along the
// step, because the number of a warp is part of the instruction's operands.
int64_t rows_along(const WarpProduct& product, const WarpTile& tile, const std::string& axis) {
  const bool is_wgmma = tile.instruction == Instruction::wgmma;
  int64_t elements = 1;
  if (axis == product.rows.base.name) elements *= kBlock * (is_wgmma ? 1 : tile.row_warps);
  if (axis == product.rows.step.name)
    elements *= blocks_of_rows(tile.instruction) * (is_wgmma ? tile.row_warps : 1);
  return elements;
}

int64_t columns_along(const WarpProduct& product, const WarpTile& tile, const std::string& axis) {
  int64_t elements = 1;
  if (axis == product.columns.base.name) elements *= kBlock;
  if (axis == product.columns.step.name) elements *= tile.columns / kBlock * tile.column_warps;
  return elements;
}

// The extent of a dim's part by the elements of its axes. Phases are copied whole, unless one tap
// has pixels of one phase alone.
template <typename ElementsOf>
int64_t span_of(const OperandDim& dim, ElementsOf elements_of) {
  int64_t whole = 1, rest = 1;  // steps of all phases, and less
  for (const DimStep& step : dim.steps) {
    const int64_t moved = step.elements * (elements_of(step.axis) - 1);
    (step.elements % dim.phases == 0 ? whole : rest) += moved;
  }
  if (dim.phases == 1 || rest == 1) return (whole - 1) / dim.phases + rest;
  return dim.phases * ((whole - 1) / dim.phases + 1 + ceil_quotient(rest - 1, dim.phases));
}

}  // namespace

int64_t warps_together(Instruction instruction) {
  return instruction == Instruction::wgmma ? 4 : 1;
}

int64_t work_items(const WarpTile& tile) {
  return kWarp * warps_together(tile.instruction) * tile.row_warps * tile.column_warps;
}

// Sums and, with mma, factors of one round of instructions: rows and columns by 32 bytes.
int64_t registers(const WarpTile& tile) {
  constexpr int64_t kAddresses = 42, kFactorBytes = 2 * kBlockRowBytes, kRegisterBytes = 4;
  const int64_t sums = tile.rows * tile.columns / (kWarp * warps_together(tile.instruction));
  const bool has_factors = tile.instruction == Instruction::mma;
  const int64_t factors =
      has_factors ? (tile.rows + tile.columns) * kFactorBytes / (kRegisterBytes * kWarp) : 0;
  return sums + factors + kAddresses;
}

int64_t row_tiles(const WarpTile& tile) {
  return tile.rows / (kBlock * blocks_of_rows(tile.instruction));
}

bool has_taps(const WarpTile& tile, size_t window) { return (tile.taps >> window & 1) != 0; }

WarpTile tile_of(const WarpProduct& product, Instruction instruction, const Choices& choices) {
  const auto levels = [&](const std::string& tensor, int64_t otherwise) {
    return chosen(choices, {ParameterKind::layout_levels, tensor}, otherwise);
  };
  WarpTile tile{.instruction = instruction,
                .rows = register_tile(choices, product.rows.base.name),
                .columns = register_tile(choices, product.columns.base.name),
                .row_warps = cache_tile(choices, product.rows.base.name),
                .column_warps = cache_tile(choices, product.columns.base.name),
                .part = inner_part(choices, product.reduction.name),
                .parts = chosen(choices, {ParameterKind::reduction_parts, product.reduction.name}),
                .taps = 0,
                .ahead = chosen(choices, ParameterKind::double_buffer, 0),
                .behind = chosen(choices, ParameterKind::rounds_behind, 0),
                .row_levels = levels(product.rows.tensor, 1),
                .column_levels = levels(product.columns.tensor, 1),
                .output_levels = levels(product.output.name, 0),
                .band = chosen(choices, ParameterKind::outer_order)};
  for (size_t i = 0; i < product.windows.size(); ++i)
    if (inner_part(choices, product.windows[i].name) == product.windows[i].extent)
      tile.taps |= uint64_t{1} << i;
  return tile;
}

std::optional<Axis> axis_of_row_tiles(const WarpProduct& product, const WarpTile& tile) {
  const ProductOperand& rows = product.rows;
  const auto divides = [&](const Axis& axis) {
    return ceil_quotient(axis.extent, rows_along(product, tile, axis.name)) % row_tiles(tile) == 0;
  };
  for (const Axis& axis : {rows.step, rows.base})
    if (divides(axis)) return axis;
  const auto other = std::find_if(rows.axes.rbegin(), rows.axes.rend(), divides);
  if (other == rows.axes.rend()) return std::nullopt;
  return *other;
}

int64_t elements_in_group(const WarpProduct& product, const WarpTile& tile,
                          const std::string& axis) {
  const auto is_axis = [&](const Axis& own) { return own.name == axis; };
  if (std::ranges::any_of(product.columns.axes, is_axis)) return columns_along(product, tile, axis);
  const std::optional<Axis> tiles = axis_of_row_tiles(product, tile);
  return rows_along(product, tile, axis) * (tiles && is_axis(*tiles) ? row_tiles(tile) : 1);
}

int64_t groups_along(const WarpProduct& product, const WarpTile& tile, const Axis& axis) {
  return ceil_quotient(axis.extent, elements_in_group(product, tile, axis.name));
}

int64_t groups(const WarpProduct& product, const WarpTile& tile) {
  int64_t count = tile.parts;
  for (const auto* axes : {&product.outer, &product.rows.axes, &product.columns.axes})
    for (const Axis& axis : *axes) count *= groups_along(product, tile, axis);
  return count;
}

double computed_share(const WarpProduct& product, const WarpTile& tile) {
  double share = 1;
  for (const auto* axes : {&product.rows.axes, &product.columns.axes})
    for (const Axis& axis : *axes)
      share *= static_cast<double>(groups_along(product, tile, axis) *
                                   elements_in_group(product, tile, axis.name)) /
               static_cast<double>(axis.extent);
  return share;
}

int64_t copied_extent(const WarpProduct& product, const WarpTile& tile, const OperandDim& dim) {
  const int64_t span = span_of(dim, [&](const std::string& axis) {
    if (axis == product.reduction.name) return tile.part;
    for (size_t i = 0; i < product.windows.size(); ++i)
      if (product.windows[i].name == axis) return has_taps(tile, i) ? product.windows[i].extent : 1;
    return elements_in_group(product, tile, axis);
  });
  return dim.is_of_parts ? std::min(span, dim.extent) : span;
}

int64_t copied_elements(const WarpProduct& product, const WarpTile& tile,
                        const ProductOperand& operand) {
  int64_t elements = 1;
  for (const OperandDim& dim : operand.dims) elements *= copied_extent(product, tile, dim);
  return elements;
}

int64_t rounds(const WarpProduct& product, const WarpTile& tile) {
  int64_t count = padded_reduction(product) / (tile.part * tile.parts);
  for (size_t i = 0; i < product.windows.size(); ++i)
    if (!has_taps(tile, i)) count *= product.windows[i].extent;
  return count;
}

int64_t terms_in_round(const WarpProduct& product, const WarpTile& tile) {
  int64_t terms = tile.part;
  for (size_t i = 0; i < product.windows.size(); ++i)
    if (has_taps(tile, i)) terms *= product.windows[i].extent;
  return terms;
}

// An instruction reads its rows and its columns; one of mma has fragments of rows for all columns.
int64_t read_bytes(const WarpProduct& product, const WarpTile& tile) {
  const int64_t columns_read =
      tile.instruction == Instruction::wgmma ? row_tiles(tile) * tile.columns : tile.columns;
  return (tile.rows + columns_read) * terms_in_round(product, tile) * factor_bytes(product) *
         tile.row_warps * tile.column_warps;
}

int64_t row_pad(Instruction instruction) { return instruction == Instruction::mma ? kBlock : 0; }

int64_t copies_in_turn(const WarpTile& tile) { return tile.behind + 1 + tile.ahead; }

// Work-items copy vectors of 16 bytes, all of them as often, so that tiles end with a whole one.
int64_t local_bytes(const WarpProduct& product, const WarpTile& tile) {
  int64_t bytes = 0;
  for (const ProductOperand* operand : {&product.rows, &product.columns}) {
    const int64_t elements =
        round_up(copied_elements(product, tile, *operand), work_items(tile) * block_terms(product));
    const int64_t rows = round_up(elements, tile.part) / tile.part;
    bytes += rows * (tile.part + row_pad(tile.instruction)) * factor_bytes(product);
  }
  return bytes * copies_in_turn(tile);
}

}  // namespace dovetail::tensor_cores
