// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/alternatives.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/intrinsic/nvidia.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/tensor_cores/split_product.h"
#include "primitives/space/tensor_cores/tile_layouts.h"
#include "primitives/space/tensor_cores/tile_list.h"

namespace dovetail::tensor_cores {
namespace {

std::vector<int64_t> bands(int64_t groups_along_step) {
  std::vector<int64_t> found = {1, 2, 4, 8, 16};
  std::erase_if(found, [&](int64_t band) { return groups_along_step % band != 0; });
  return found;
}

// Some hundred groups are at work at once: eight rows of them share about as much as columns do.
int64_t default_band(int64_t groups_along_step) {
  constexpr int64_t kMost = 8;
  int64_t band = 1;
  for (const int64_t offered : bands(groups_along_step))
    if (offered <= kMost) band = offered;
  return band;
}

ParameterId levels_of(const std::string& tensor) { return {ParameterKind::layout_levels, tensor}; }

// Facts that the functions of an alternative share, as long as one of them lives.
struct Shared {
  Shared(const TileKind& kind, const WarpProduct& of, const std::optional<Region>& in_parts,
         const Target& target)
      : instruction(kind.instruction), product(of), split(in_parts), tiles(kind, product, target) {}

  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  WarpTile tile_of(const Choices& choices) const {
    return tensor_cores::tile_of(product, instruction, choices);
  }
  Trace decode(const Choices& choices, const Target& target) const {
    Trace trace = tensor_cores::decode(product, tile_of(choices), target);
    if (!split) return trace;
    trace.algorithm = kSplit;
    std::vector<StageLoops> loops = loops_of_parts(*split, trace.layouts, target);
    std::ranges::move(trace.loops, std::back_inserter(loops));
    trace.loops = std::move(loops);
    return trace;
  }
  Instruction instruction;
  WarpProduct product;
  std::optional<Region> split;  // the product is of its anchor
  TileList tiles;
};

using SharedPointer = std::shared_ptr<const Shared>;

std::vector<ParameterId> add_tiles(const SharedPointer& shared, ParameterList& list) {
  std::vector<ParameterId> earlier;
  const std::vector<TileColumn>& columns = shared->tiles.columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    list.add(columns[i].id, columns[i].meaning, earlier,
             [shared, i](const Choices& c) { return shared->tiles.values(i, c); });
    earlier.push_back(columns[i].id);
  }
  return earlier;
}

void add_bands(const SharedPointer& shared, const std::vector<ParameterId>& tile,
               ParameterList& list) {
  list.add(
      ParameterKind::outer_order,
      "groups along rows that follow each other before those of the next columns", tile,
      [shared](const Choices& c) {
        return bands(groups_along(shared->product, shared->tile_of(c), shared->product.rows.step));
      });
}

// Blocks of tf32 are four elements wide, and a work-item's sums are of eight columns: no output has
// them yet.
std::vector<int64_t> output_levels(const WarpProduct& product) {
  if (product.type == ElementType::tf32) return {0};
  return {0, 1};
}

void add_levels(const SharedPointer& shared, const std::vector<ParameterId>& tile,
                ParameterList& list) {
  for (const ProductOperand* operand : {&shared->product.rows, &shared->product.columns})
    list.add(levels_of(operand->tensor), "levels of tiles in " + operand->tensor + "'s layout",
             tile, [shared, operand](const Choices& c) {
               return has_second_level(shared->product, shared->tile_of(c), *operand)
                          ? std::vector<int64_t>{1, 2}
                          : std::vector<int64_t>{1};
             });
  const std::string& output = shared->product.output.name;
  list.add_values(levels_of(output), "levels of tiles in " + output + "'s layout",
                  output_levels(shared->product));
}

// Tiles that lie together, if they can, but for an operand of pixels: all convolutions of a network
// then read blocks alone, and make them.
Choices wanted(const Shared& shared) {
  const WarpTile& best = shared.tiles.fastest();
  const WarpProduct& product = shared.product;
  Choices wanted;
  for (size_t i = 0; i < shared.tiles.columns().size(); ++i)
    wanted.set(shared.tiles.columns()[i].id, shared.tiles.value(i, best));
  const bool is_of_pixels = product.rows.base.name != product.rows.step.name;
  wanted.set(ParameterKind::outer_order,
             is_of_pixels ? 1 : default_band(groups_along(product, best, product.rows.step)));
  for (const ProductOperand* operand : {&product.rows, &product.columns}) {
    const bool keeps_blocks = is_of_pixels && operand == &product.rows;
    const bool has_tiles = !keeps_blocks && has_second_level(product, best, *operand);
    wanted.set(levels_of(operand->tensor), has_tiles ? 2 : 1);
  }
  wanted.set(levels_of(product.output.name), output_levels(product).back());
  return wanted;
}

std::optional<Alternative> alternative(const TileKind& kind, const WarpProduct& product,
                                       const std::optional<Region>& split, const Target& target) {
  const auto shared = std::make_shared<const Shared>(kind, product, split, target);
  if (shared->tiles.empty()) return std::nullopt;
  ParameterList list;
  const std::vector<ParameterId> tile = add_tiles(shared, list);
  add_bands(shared, tile, list);
  if (kind.instruction == Instruction::wgmma) add_levels(shared, tile, list);
  Alternative made{
      .name = kind.name, .parameters = list.take(), .decode = {}, .wanted = wanted(*shared)};
  made.decode = [shared, target](const Choices& choices) {
    return shared->decode(choices, target);
  };
  return made;
}

std::vector<int64_t> wgmma_columns(const WarpProduct& product, const Target& target) {
  std::vector<int64_t> columns;
  for (const int64_t count : kWgmmaColumns) {
    const Intrinsic* intrinsic = find_intrinsic(wgmma_of(product.type, count));
    if (intrinsic != nullptr && has_instruction(target, *intrinsic)) columns.push_back(count);
  }
  return columns;
}

}  // namespace

std::vector<Alternative> alternatives(const Region& region, const Target& target) {
  std::vector<Alternative> made;
  if (!runs_work_groups(target) || target.lockstep_work_items != kWarp) return made;
  const std::optional<Region> split = with_split_factors(region);
  const std::optional<WarpProduct> product = warp_product(split ? *split : region, target);
  if (!product || (split && padded_reduction(*product) > product->reduction.extent)) return made;
  const auto add = [&](const TileKind& kind) {
    if (auto one = alternative(kind, *product, split, target)) made.push_back(*std::move(one));
  };
  const Intrinsic* mma = find_intrinsic(mma_of(product->type));
  if (const std::vector<int64_t> columns = wgmma_columns(*product, target); !columns.empty())
    add({.name = "wgmma",
         .instruction = Instruction::wgmma,
         .rows = {64, 128},
         .columns = columns,
         .row_warps = {1, 2},
         .column_warps = {1},
         .terms_a_cycle = product->type == ElementType::tf32 ? 1024 : 2048});
  if (mma != nullptr && has_instruction(target, *mma))
    add({.name = "mma",
         .instruction = Instruction::mma,
         .rows = {16, 32, 64},
         .columns = {8, 16, 32, 64},
         .row_warps = {1, 2, 4},
         .column_warps = {1, 2, 4},
         .terms_a_cycle = 1400});
  if (!made.empty()) made.front().is_default = true;
  return made;
}

}  // namespace dovetail::tensor_cores
