// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <memory>

#include "primitives/divisors.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/tensor_cores/warp_product.h"

namespace dovetail::tensor_cores {
namespace {

constexpr int64_t kWarp = 32, kMostSums = 128;  // a work-item keeps that many in registers

// One of the two kinds: what a warp's tile may be, and the instruction's decoder.
struct Kind {
  std::string name;
  std::vector<int64_t> rows, columns, row_warps, column_warps;
  int64_t warps = 1;  // that share a tile
  int64_t pad = 0;    // elements after a row in local memory
  Trace (*decode)(const WarpProduct&, const WarpTile&) = nullptr;
};

int64_t work_items(const Kind& kind, const WarpTile& tile) {
  return kWarp * kind.warps * tile.row_warps * tile.column_warps;
}

int64_t local_bytes(const Kind& kind, const WarpProduct& product, const WarpTile& tile) {
  const int64_t rows = tile.rows * tile.row_warps + tile.columns * tile.column_warps;
  return rows * (tile.part + kind.pad) * bytes_of(product.type) * (tile.doubled ? 2 : 1);
}

int64_t rounds(const WarpProduct& product, const WarpTile& tile) {
  return product.reduction.extent / tile.part;
}

bool fits(const Kind& kind, const WarpProduct& product, const WarpTile& tile,
          const Target& target) {
  return product.rows.extent % (tile.rows * tile.row_warps) == 0 &&
         product.columns.extent % (tile.columns * tile.column_warps) == 0 &&
         product.reduction.extent % tile.part == 0 &&
         (!tile.doubled || rounds(product, tile) > 1) &&
         tile.rows * tile.columns <= kMostSums * kWarp * kind.warps &&
         work_items(kind, tile) <= target.max_work_group_size &&
         local_bytes(kind, product, tile) <= target.local_memory_bytes;
}

std::vector<WarpTile> all_tiles(const Kind& kind, const WarpProduct& product,
                                const Target& target) {
  std::vector<WarpTile> tiles;
  for (const int64_t rows : kind.rows)
    for (const int64_t columns : kind.columns)
      for (const int64_t row_warps : kind.row_warps)
        for (const int64_t column_warps : kind.column_warps)
          for (const int64_t part : {16, 32, 64, 128})
            for (const bool doubled : {false, true}) {
              const WarpTile tile{rows, columns, row_warps, column_warps, part, doubled};
              if (fits(kind, product, tile, target)) tiles.push_back(tile);
            }
  return tiles;
}

// Elements that units go through one after another: waves of groups, each its sums and, for what a
// small tile reads more than once, a part of its border. Copies ahead take their share off.
double cost(const Kind& kind, const WarpProduct& product, const WarpTile& tile,
            const Target& target) {
  const int64_t rows = tile.rows * tile.row_warps, columns = tile.columns * tile.column_warps;
  int64_t groups = product.rows.extent / rows * (product.columns.extent / columns);
  for (const Axis& axis : product.outer) groups *= axis.extent;
  const int64_t units = std::max<int64_t>(target.compute_units, 1);
  const auto waves = static_cast<double>((groups + units - 1) / units);
  constexpr double kBorder = 32, kFewWarps = 0.25, kWithoutCopiesAhead = 1.2, kRound = 64;
  const double border = kBorder * static_cast<double>(rows + columns);
  const double warps = static_cast<double>(work_items(kind, tile) / kWarp);
  const double round =
      kRound * static_cast<double>(rows + columns) / static_cast<double>(tile.part);
  return waves * (static_cast<double>(rows * columns) + border + round) * (1 + kFewWarps / warps) *
         (tile.doubled ? 1 : kWithoutCopiesAhead);
}

// One parameter of a tile, as a space lists it.
struct Knob {
  ParameterId id;
  std::string meaning;
  std::function<int64_t(const WarpTile&)> value;
};

std::vector<Knob> knobs_of(const WarpProduct& product) {
  const std::string_view m = product.rows.name, n = product.columns.name,
                         k = product.reduction.name;
  return {
      {{ParameterKind::register_tile, m},
       "rows of a warp, or of four with wgmma",
       [](const WarpTile& t) { return t.rows; }},
      {{ParameterKind::register_tile, n},
       "columns of a warp, or of four with wgmma",
       [](const WarpTile& t) { return t.columns; }},
      {{ParameterKind::cache_tile, m},
       "warps of a group along rows, fours of them with wgmma",
       [](const WarpTile& t) { return t.row_warps; }},
      {{ParameterKind::cache_tile, n},
       "warps of a group along columns",
       [](const WarpTile& t) { return t.column_warps; }},
      {{ParameterKind::inner_part, k},
       "elements of the reduction that a round copies",
       [](const WarpTile& t) { return t.part; }},
      {ParameterKind::double_buffer, "1: the next round's copies are loaded during a round",
       [](const WarpTile& t) { return int64_t{t.doubled}; }},
  };
}

// Values of the knob that some tile has together with all earlier choices.
std::vector<int64_t> values_of(const std::vector<WarpTile>& tiles, const std::vector<Knob>& knobs,
                               size_t number, const Choices& choices) {
  std::vector<int64_t> values;
  for (const WarpTile& tile : tiles) {
    bool agrees = true;
    for (size_t i = 0; i < number; ++i)
      agrees = agrees && chosen(choices, knobs[i].id) == knobs[i].value(tile);
    if (agrees) values.push_back(knobs[number].value(tile));
  }
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

std::optional<Alternative> alternative(const Kind& kind, const WarpProduct& product,
                                       const Target& target) {
  const auto shared = std::make_shared<const WarpProduct>(product);
  const auto tiles =
      std::make_shared<const std::vector<WarpTile>>(all_tiles(kind, product, target));
  if (tiles->empty()) return std::nullopt;
  const auto knobs = std::make_shared<const std::vector<Knob>>(knobs_of(*shared));
  ParameterList list;
  std::vector<ParameterId> earlier;
  for (size_t i = 0; i < knobs->size(); ++i) {
    list.add(
        (*knobs)[i].id, (*knobs)[i].meaning, earlier,
        [shared, tiles, knobs, i](const Choices& c) { return values_of(*tiles, *knobs, i, c); });
    earlier.push_back((*knobs)[i].id);
  }
  const WarpTile best = *std::ranges::min_element(
      *tiles, {}, [&](const WarpTile& tile) { return cost(kind, product, tile, target); });
  Alternative made{.name = kind.name, .parameters = list.take(), .decode = {}, .wanted = {}};
  for (const Knob& knob : *knobs) made.wanted.set(knob.id, knob.value(best));
  made.decode = [shared, decode = kind.decode](const Choices& choices) {
    return decode(*shared, tile_of(*shared, choices));
  };
  return made;
}

std::vector<int64_t> wgmma_columns(const WarpProduct& product, const Target& target) {
  std::vector<int64_t> columns;
  for (const int64_t count : {64, 128, 256}) {
    const Intrinsic* intrinsic = find_intrinsic(wgmma_of(product.type, count));
    if (intrinsic != nullptr && has_instruction(target, *intrinsic)) columns.push_back(count);
  }
  return columns;
}

}  // namespace

std::vector<Alternative> alternatives(const Region& region, const Target& target) {
  std::vector<Alternative> made;
  if (!runs_work_groups(target) || target.lockstep_work_items != kWarp) return made;
  const std::optional<WarpProduct> product = warp_product(region);
  if (!product) return made;
  const auto add = [&](const Kind& kind) {
    if (auto one = alternative(kind, *product, target)) made.push_back(*std::move(one));
  };
  const Intrinsic* mma = find_intrinsic(mma_of(product->type));
  if (const std::vector<int64_t> columns = wgmma_columns(*product, target); !columns.empty())
    add({.name = "wgmma",
         .rows = {64},
         .columns = columns,
         .row_warps = {1, 2},
         .column_warps = {1},
         .warps = 4,
         .decode = decode_wgmma});
  if (mma != nullptr && has_instruction(target, *mma))
    add({.name = "mma",
         .rows = {16, 32, 64},
         .columns = {8, 16, 32, 64},
         .row_warps = {1, 2, 4},
         .column_warps = {1, 2, 4},
         .pad = 8,
         .decode = decode_mma});
  if (!made.empty()) made.front().is_default = true;
  return made;
}

}  // namespace dovetail::tensor_cores
