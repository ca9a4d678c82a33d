// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <memory>

#include "primitives/divisors.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/rounds_ahead.h"
#include "primitives/space/tensor_cores/tile_cycles.h"
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
  int64_t terms_a_cycle = 0;
  bool has_blocks = false;  // operands are in blocks of 8 by 8
  Trace (*decode)(const WarpProduct&, const WarpTile&) = nullptr;
};

int64_t work_items(const Kind& kind, const WarpTile& tile) {
  return kWarp * kind.warps * tile.row_warps * tile.column_warps;
}

int64_t local_bytes(const Kind& kind, const WarpProduct& product, const WarpTile& tile) {
  const int64_t rows = tile.rows * tile.row_warps + tile.columns * tile.column_warps;
  return rows * (tile.part + kind.pad) * bytes_of(product.type) * (tile.ahead + 1);
}

int64_t rounds(const WarpProduct& product, const WarpTile& tile) {
  return product.reduction.extent / tile.part;
}

bool fits(const Kind& kind, const WarpProduct& product, const WarpTile& tile,
          const Target& target) {
  return product.rows.extent % (tile.rows * tile.row_warps) == 0 &&
         product.columns.extent % (tile.columns * tile.column_warps) == 0 &&
         product.reduction.extent % tile.part == 0 && rounds(product, tile) > tile.ahead &&
         tile.rows * tile.columns <= kMostSums * kWarp * kind.warps &&
         work_items(kind, tile) <= target.max_work_group_size &&
         local_bytes(kind, product, tile) <= target.local_memory_bytes;
}

// The most rounds first, so that they are the default's among equals.
std::vector<int64_t> most_rounds_first(const Target& target) {
  std::vector<int64_t> rounds = {0};
  for (const int64_t ahead : rounds_ahead(target)) rounds.insert(rounds.begin(), ahead);
  return rounds;
}

std::vector<WarpTile> all_tiles(const Kind& kind, const WarpProduct& product,
                                const Target& target) {
  std::vector<WarpTile> tiles;
  for (const int64_t rows : kind.rows)
    for (const int64_t columns : kind.columns)
      for (const int64_t row_warps : kind.row_warps)
        for (const int64_t column_warps : kind.column_warps)
          for (const int64_t part : {16, 32, 64, 128})
            for (const int64_t ahead : most_rounds_first(target)) {
              const WarpTile tile{rows, columns, row_warps, column_warps, part, ahead};
              if (fits(kind, product, tile, target)) tiles.push_back(tile);
            }
  return tiles;
}

double cycles_of(const Kind& kind, const WarpProduct& product, const WarpTile& tile,
                 const Target& target) {
  const int64_t rows = tile.rows * tile.row_warps, columns = tile.columns * tile.column_warps;
  int64_t groups = product.rows.extent / rows * (product.columns.extent / columns);
  for (const Axis& axis : product.outer) groups *= axis.extent;
  return tile_cycles({.groups = groups,
                      .rows = rows,
                      .columns = columns,
                      .part = tile.part,
                      .rounds = rounds(product, tile),
                      .ahead = tile.ahead,
                      .work_items = work_items(kind, tile),
                      .local_bytes = local_bytes(kind, product, tile),
                      .element_bytes = bytes_of(product.type),
                      .terms_a_cycle = kind.terms_a_cycle},
                     target);
}

std::vector<int64_t> bands(int64_t groups_along_rows) {
  std::vector<int64_t> found = {1, 2, 4, 8, 16};
  std::erase_if(found, [&](int64_t band) { return groups_along_rows % band != 0; });
  return found;
}

// Some hundred groups are at work at once: eight rows of them share about as much as columns do.
int64_t default_band(int64_t groups_along_rows) {
  constexpr int64_t kMost = 8;
  int64_t band = 1;
  for (const int64_t offered : bands(groups_along_rows))
    if (offered <= kMost) band = offered;
  return band;
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
      {ParameterKind::double_buffer, kRoundsAheadMeaning,
       [](const WarpTile& t) { return t.ahead; }},
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
  list.add(ParameterKind::outer_order,
           "groups along rows that follow each other before those of the next columns", earlier,
           [shared](const Choices& c) {
             return bands(groups_along_rows(*shared, tile_of(*shared, c)));
           });
  const auto levels_of = [](const std::string& tensor) {
    return ParameterId(ParameterKind::layout_levels, tensor);
  };
  if (kind.has_blocks)
    for (const std::string& tensor : {product.by_rows, product.by_columns})
      list.add(levels_of(tensor), "levels of tiles in " + tensor + "'s layout", {},
               [](const Choices&) { return std::vector<int64_t>{1, 2}; });
  const WarpTile best = *std::ranges::min_element(
      *tiles, {}, [&](const WarpTile& tile) { return cycles_of(kind, product, tile, target); });
  Alternative made{.name = kind.name, .parameters = list.take(), .decode = {}, .wanted = {}};
  for (const Knob& knob : *knobs) made.wanted.set(knob.id, knob.value(best));
  made.wanted.set(ParameterKind::outer_order, default_band(groups_along_rows(*shared, best)));
  if (kind.has_blocks)
    for (const std::string& tensor : {product.by_rows, product.by_columns})
      made.wanted.set(levels_of(tensor), 2);
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
         .terms_a_cycle = 2048,
         .has_blocks = true,
         .decode = decode_wgmma});
  if (mma != nullptr && has_instruction(target, *mma))
    add({.name = "mma",
         .rows = {16, 32, 64},
         .columns = {8, 16, 32, 64},
         .row_warps = {1, 2, 4},
         .column_warps = {1, 2, 4},
         .pad = 8,
         .terms_a_cycle = 1400,
         .decode = decode_mma});
  if (!made.empty()) made.front().is_default = true;
  return made;
}

}  // namespace dovetail::tensor_cores
