// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/layouts/layout_levels.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/space/layouts/decode_layouts.h"

namespace dovetail {
namespace {

constexpr int kOneLevelPercent = 80;  // share of samples with one level, per tensor

bool is_tiled(const ContractionFacts& s, const std::string& axis) {
  return std::ranges::find(s.tiled, axis) != s.tiled.end();
}

// Block sizes in tiles of `tile` elements: blocks that end at one of the cuts, or span the axis.
std::vector<int64_t> block_sizes(int64_t tile, int64_t extent, std::vector<int64_t> cuts) {
  tile = std::max<int64_t>(tile, 1);
  if (tile >= extent) return {1};
  std::vector<int64_t> sizes;
  for (const int64_t cut : cuts)
    if (cut > tile && cut < extent && cut % tile == 0) sizes.push_back(cut / tile);
  if (sizes.empty()) sizes.push_back(1);
  if (extent % tile == 0) sizes.push_back(extent / tile);
  std::ranges::sort(sizes);
  const auto repeated = std::ranges::unique(sizes);
  sizes.erase(repeated.begin(), repeated.end());
  return sizes;
}

// The axis by whose tiles an input's dimension is tiled; empty: none.
std::string axis_in_tiles(const ContractionFacts& s, const Access& access, size_t dim) {
  const std::string& name = s.tensor(access.tensor).dims[dim].name;
  if (name == s.pure) return name;
  for (const ContractionAxis& a : s.axes) {
    if (!s.is_output(a.name) || !access.indices[dim].mentions(a.name)) continue;
    const bool row =
        a.kind == AxisClass::row && is_tiled(s, a.name) && a.name != s.vector_axis && !a.merged;
    return a.extent > 1 && (row || s.tiles_channels(a.name)) ? a.name : "";
  }
  return "";
}

bool has_tiles(const ContractionFacts& s, const Access& access) {
  for (size_t dim = 0; dim < access.indices.size(); ++dim)
    if (!axis_in_tiles(s, access, dim).empty()) return true;
  return false;
}

class BlockBuilder {
 public:
  BlockBuilder(std::shared_ptr<const ContractionFacts> facts, ParameterList& list)
      : s_(std::move(facts)), list_(list) {}

  void build() {
    const std::string& output = s_->output();
    for (const std::string& axis : s_->tiled)
      if (!s_->axis(axis).merged) add_tiles(output, axis);
    for (const Access& access : s_->inputs())
      for (size_t dim = 0; dim < access.indices.size(); ++dim) add_dim(access, dim);
  }

 private:
  void add(const std::string& tensor, const std::string& axis, std::vector<ParameterId> reads,
           ParameterList::Domain domain) {
    list_.add_only_with(
        {ParameterKind::layout_levels, tensor}, 2, 1, {ParameterKind::layout_block, tensor, axis},
        "tiles of " + axis + " in a block of " + tensor + "'s second level; 1: no block",
        std::move(reads), std::move(domain));
  }

  void add_tiles(const std::string& tensor, const std::string& axis) {
    const bool reduced = axis == s_->pure;
    const auto inner = reduced ? ParameterKind::unroll_part : ParameterKind::register_tile;
    const auto outer = reduced ? ParameterKind::inner_part : ParameterKind::cache_tile;
    add(tensor, axis, {{inner, axis}, {outer, axis}, {ParameterKind::layout_tile, tensor, axis}},
        [s = s_, tensor, axis, inner, outer](const Choices& c) {
          const int64_t cut = chosen(c, {inner, axis});
          return block_sizes(layout_tile(c, tensor, axis), round_up(s->axis(axis).extent, cut),
                             tile_cuts(*s, axis, cut, chosen(c, {outer, axis})));
        });
  }

  // Windows of register tiles form blocks of one cache tile.
  void add_windows(const Access& access, size_t dim, const std::string& axis) {
    add(access.tensor, axis,
        {{ParameterKind::register_tile, axis},
         {ParameterKind::cache_tile, axis},
         {ParameterKind::storage, access.tensor, axis}},
        [s = s_, access, dim, axis](const Choices& c) {
          const int64_t tiles = cache_tile(c, axis);
          if (storage(c, access.tensor, axis) != kUnfoldTile || tiles == 1)
            return std::vector<int64_t>{1};
          const int64_t stored = unfolded_row(*s, c, access, dim, axis).tiles;
          const bool whole = stored > tiles && stored % tiles == 0;
          return std::vector<int64_t>{whole ? tiles : 1};
        });
  }

  void add_dim(const Access& access, size_t dim) {
    const std::string axis = axis_in_tiles(*s_, access, dim);
    if (axis.empty() || list_.has({ParameterKind::layout_block, access.tensor, axis})) return;
    if (axis == s_->pure || s_->tiles_channels(axis)) return add_tiles(access.tensor, axis);
    add_windows(access, dim, axis);
  }

  std::shared_ptr<const ContractionFacts> s_;
  ParameterList& list_;
};

}  // namespace

void add_levels(const ContractionFacts& facts, ParameterList& list) {
  std::vector<std::string> tensors;
  if (!facts.tiled.empty()) tensors.push_back(facts.output());
  for (const Access& access : facts.inputs())
    if (has_tiles(facts, access)) tensors.push_back(access.tensor);
  for (const std::string& tensor : tensors) {
    const ParameterId id(ParameterKind::layout_levels, tensor);
    list.add_values(id, "levels of tiles in " + tensor + "'s layout", {1, 2}).off_percent =
        kOneLevelPercent;
  }
}

void add_blocks(const std::shared_ptr<const ContractionFacts>& facts, ParameterList& list) {
  BlockBuilder(facts, list).build();
}

}  // namespace dovetail
