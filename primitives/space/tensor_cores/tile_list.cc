// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/tile_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/ir/intrinsic/intrinsic.h"
#include "primitives/divisors.h"
#include "primitives/space/rounds_ahead.h"
#include "primitives/space/tensor_cores/tile_cycles.h"

namespace dovetail::tensor_cores {
namespace {

constexpr int64_t kMostSums = 128;          // a work-item keeps that many in registers
constexpr int64_t kMostInstructions = 128;  // that a round writes out
constexpr int64_t kMostVectors = 20;  // that a work-item copies in a round: addresses are registers
constexpr int64_t kMostParts = 64;    // that a reduction has
constexpr double kMostWaste = 1.25;   // over the tile that computes the fewest elements

std::vector<TileColumn> columns_of(const WarpProduct& product) {
  const std::string_view m = product.rows.base.name, n = product.columns.base.name,
                         k = product.reduction.name;
  std::vector<TileColumn> columns = {
      {{ParameterKind::register_tile, m}, "rows of a warp, or of four with wgmma"},
      {{ParameterKind::register_tile, n}, "columns of a warp, or of four with wgmma"},
      {{ParameterKind::cache_tile, m}, "warps of a group along rows, fours of them with wgmma"},
      {{ParameterKind::cache_tile, n}, "warps of a group along columns"},
      {{ParameterKind::inner_part, k}, "elements of the reduction that a round copies"}};
  for (const Axis& window : product.windows)
    columns.push_back({{ParameterKind::inner_part, window.name},
                       "taps of the window " + window.name + " that a round has"});
  columns.push_back({ParameterKind::double_buffer, kRoundsAheadMeaning});
  columns.push_back({ParameterKind::rounds_behind,
                     "rounds before whose products may still run while a round's are issued"});
  columns.push_back({{ParameterKind::reduction_parts, k},
                     fmt::format("parts of {} that groups sum up apart; 1: none", k)});
  return columns;
}

bool fits_registers(const WarpTile& tile, const Target& target) {
  const bool fits_unit =
      target.unit_registers == 0 || registers(tile) * work_items(tile) <= target.unit_registers;
  return tile.rows * tile.columns <= kMostSums * kWarp * warps_together(tile.instruction) &&
         work_items(tile) <= target.max_work_group_size && fits_unit;
}

int64_t instructions_in_round(const WarpProduct& product, const WarpTile& tile) {
  const int64_t along_columns = tile.instruction == Instruction::wgmma ? 1 : tile.columns / kBlock;
  return terms_in_round(product, tile) / instruction_terms(product) * row_tiles(tile) *
         along_columns;
}

bool fits_round(const WarpProduct& product, const WarpTile& tile, const Target& target) {
  if (rounds(product, tile) < copies_in_turn(tile) ||
      instructions_in_round(product, tile) > kMostInstructions)
    return false;
  const int64_t bytes = local_bytes(product, tile);
  const int64_t vectors = bytes / (copies_in_turn(tile) * kBlockRowBytes * work_items(tile));
  return vectors <= kMostVectors && bytes + kBytesOfBatches <= target.local_memory_bytes;
}

// The most rounds first, so that they are the default's among equals.
std::vector<int64_t> most_rounds_first(const Target& target) {
  std::vector<int64_t> rounds = {0};
  for (const int64_t ahead : rounds_ahead(target)) rounds.insert(rounds.begin(), ahead);
  return rounds;
}

// Only wgmma runs on by itself.
std::vector<int64_t> rounds_behind(const WarpTile& tile) {
  return tile.instruction == Instruction::wgmma && tile.ahead > 0 ? std::vector<int64_t>{0, 1}
                                                                  : std::vector<int64_t>{0};
}

// One, and those that still leave a device's units some groups each, where groups are few.
std::vector<int64_t> parts_of(const WarpProduct& product, const WarpTile& tile,
                              const Target& target) {
  constexpr int64_t kGroupsAUnit = 2;
  std::vector<int64_t> parts = divisors(padded_reduction(product) / tile.part);
  const int64_t most = kGroupsAUnit * std::max<int64_t>(target.compute_units, 1) /
                       std::max<int64_t>(groups(product, tile), 1);
  std::erase_if(parts,
                [&](int64_t count) { return count > 1 && count > std::min(most, kMostParts); });
  return parts;
}

// Windows of one tap have all of them.
std::vector<uint64_t> tap_sets(const WarpProduct& product) {
  std::vector<uint64_t> sets;
  uint64_t single = 0;
  for (size_t i = 0; i < product.windows.size(); ++i)
    if (product.windows[i].extent == 1) single |= uint64_t{1} << i;
  for (uint64_t set = 0; set < uint64_t{1} << product.windows.size(); ++set)
    if ((set & single) == single) sets.push_back(set);
  return sets;
}

// Tiles of rows, columns and warps; what a round has is not chosen yet.
std::vector<WarpTile> group_tiles(const TileKind& kind, const WarpProduct& product,
                                  const Target& target) {
  std::vector<WarpTile> tiles;
  for (const int64_t rows : kind.rows)
    for (const int64_t columns : kind.columns)
      for (const int64_t row_warps : kind.row_warps)
        for (const int64_t column_warps : kind.column_warps) {
          const WarpTile tile{.instruction = kind.instruction,
                              .rows = rows,
                              .columns = columns,
                              .row_warps = row_warps,
                              .column_warps = column_warps};
          if (fits_registers(tile, target) && axis_of_row_tiles(product, tile))
            tiles.push_back(tile);
        }
  double least = std::numeric_limits<double>::infinity();
  for (const WarpTile& tile : tiles) least = std::min(least, computed_share(product, tile));
  std::erase_if(tiles, [&](const WarpTile& tile) {
    return computed_share(product, tile) > kMostWaste * least;
  });
  return tiles;
}

std::vector<WarpTile> all_tiles(const TileKind& kind, const WarpProduct& product,
                                const Target& target) {
  std::vector<WarpTile> tiles;
  for (WarpTile tile : group_tiles(kind, product, target))
    for (const int64_t instructions : {1, 2, 4, 8}) {
      const int64_t part = instructions * instruction_terms(product);
      if (padded_reduction(product) % part != 0) continue;
      tile.part = part;
      tile.parts = 1;
      for (const int64_t parts : parts_of(product, tile, target))
        for (const uint64_t taps : tap_sets(product))
          for (const int64_t ahead : most_rounds_first(target)) {
            tile.parts = parts;
            tile.taps = taps;
            tile.ahead = ahead;
            for (const int64_t behind : rounds_behind(tile)) {
              tile.behind = behind;
              if (fits_round(product, tile, target)) tiles.push_back(tile);
            }
          }
    }
  return tiles;
}

double cycles_of(const TileKind& kind, const WarpProduct& product, const WarpTile& tile,
                 const Target& target) {
  const int64_t local = local_bytes(product, tile);
  const double sums = static_cast<double>(num_elements(shape_of(product.output)) * tile.parts);
  const double added = tile.parts > 1 ? cycles_of_second_kernel(sums, target) : 0;
  return added + tile_cycles({.groups = groups(product, tile),
                              .rows = tile.rows * tile.row_warps,
                              .columns = tile.columns * tile.column_warps,
                              .terms = terms_in_round(product, tile),
                              .round_bytes = local / copies_in_turn(tile),
                              .read_bytes = read_bytes(product, tile),
                              .rounds = rounds(product, tile),
                              .ahead = tile.ahead,
                              .work_items = work_items(tile),
                              .registers = registers(tile),
                              .local_bytes = local,
                              .terms_a_cycle = kind.terms_a_cycle,
                              .behind = tile.behind},
                             target);
}

}  // namespace

TileList::TileList(const TileKind& kind, const WarpProduct& product, const Target& target)
    : product_(product), columns_(columns_of(product)) {
  const std::vector<WarpTile> tiles = all_tiles(kind, product, target);
  for (const WarpTile& tile : tiles) rows_.push_back(row_of(tile));
  std::ranges::sort(rows_);
  if (!tiles.empty())
    fastest_ = *std::ranges::min_element(
        tiles, {}, [&](const WarpTile& tile) { return cycles_of(kind, product, tile, target); });
}

TileList::Row TileList::row_of(const WarpTile& tile) const {
  Row row = {tile.rows, tile.columns, tile.row_warps, tile.column_warps, tile.part};
  for (size_t i = 0; i < product_.windows.size(); ++i)
    row.push_back(has_taps(tile, i) ? product_.windows[i].extent : 1);
  row.push_back(tile.ahead);
  row.push_back(tile.behind);
  row.push_back(tile.parts);
  return row;
}

std::vector<int64_t> TileList::values(size_t column, const Choices& choices) const {
  Row prefix;
  for (size_t i = 0; i < column; ++i) prefix.push_back(chosen(choices, columns_[i].id));
  const auto before = [&](const Row& row) {
    return std::lexicographical_compare(row.begin(), row.begin() + static_cast<ptrdiff_t>(column),
                                        prefix.begin(), prefix.end());
  };
  std::vector<int64_t> values;
  for (auto row = std::partition_point(rows_.begin(), rows_.end(), before);
       row != rows_.end() && std::equal(prefix.begin(), prefix.end(), row->begin()); ++row)
    if (values.empty() || values.back() != (*row)[column]) values.push_back((*row)[column]);
  return values;
}

}  // namespace dovetail::tensor_cores
