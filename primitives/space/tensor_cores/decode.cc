// SPDX-License-Identifier: Apache-2.0
// The traces of products by tensor cores.
#include "primitives/space/tensor_cores/warp_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "primitives/loop/shared_loops.h"

namespace dovetail::tensor_cores {
namespace {

// A list of primitives that names loops as split does: m, m.0 and m.1, m.0.0 and m.0.1, …
class Loops {
 public:
  // Cuts the outer part of the axis; returns the name of the inner one, none for one iteration.
  std::string cut(const std::string& axis, int64_t factor) {
    if (factor == 1) return {};
    std::string& outer = outer_of(axis);
    list_.emplace_back(loop::Split{outer, factor});
    const std::string inner = outer + ".1";
    outer += ".0";
    return inner;
  }
  std::string& outer_of(const std::string& axis) {
    const auto found = std::ranges::find(axes_, axis, &Named::axis);
    if (found != axes_.end()) return found->outer;
    return axes_.emplace_back(Named{axis, axis}).outer;
  }
  template <typename Primitive>
  void add(Primitive primitive) {
    list_.emplace_back(std::move(primitive));
  }
  void bind(std::vector<std::string> loops, ThreadAxis innermost) {
    bind_loops(std::move(loops), innermost, list_);
  }
  std::vector<LoopPrimitive> take() { return std::move(list_); }

 private:
  struct Named {
    std::string axis, outer;
  };
  std::vector<Named> axes_;
  std::vector<LoopPrimitive> list_;
};

// The names of one kernel's loops, outermost first, once all axes are cut.
struct Nest {
  std::vector<std::string> groups;  // outer axes and bands of rows, all group.2; group.1; group.0
  std::string far, middle, near;    // thread.2, thread.1, thread.0
  std::vector<std::string> inside;  // rounds first, then what a round unrolls
  std::vector<std::string> instruction;
};

// Cuts the groups along rows into bands: rows and columns, or bands, columns and rows inside.
std::vector<std::string> groups_of(const WarpProduct& product, const WarpTile& tile, Loops& loops) {
  std::vector<std::string> groups;
  for (const Axis& axis : product.outer) groups.push_back(axis.name);
  const std::string inside = loops.cut(product.rows.name, tile.band);
  groups.push_back(loops.outer_of(product.rows.name));
  groups.push_back(loops.outer_of(product.columns.name));
  if (!inside.empty()) groups.push_back(inside);
  return groups;
}

// All but outer axes and bands of one iteration.
std::vector<std::string> bound_groups(const WarpProduct& product, const WarpTile& tile,
                                      const Nest& nest) {
  const auto inner = nest.groups.end() - 2;
  std::vector<std::string> bound;
  std::copy_if(nest.groups.begin(), inner, std::back_inserter(bound), [&](const auto& name) {
    const auto axis = std::ranges::find(product.outer, name, &Axis::name);
    return axis != product.outer.end() ? axis->extent > 1
                                       : tile.band < groups_along_rows(product, tile);
  });
  bound.insert(bound.end(), inner, nest.groups.end());
  return bound;
}

void finish(const WarpProduct& product, const Nest& nest, const WarpTile& tile, int64_t pad,
            const std::string& intrinsic, Loops& loops) {
  std::vector<std::string> order = nest.groups;
  for (const std::string& name : {nest.far, nest.middle, nest.near}) order.push_back(name);
  order.insert(order.end(), nest.inside.begin(), nest.inside.end());
  order.insert(order.end(), nest.instruction.begin(), nest.instruction.end());
  std::erase(order, "");
  loops.add(loop::Reorder{order});
  loops.bind(bound_groups(product, tile, nest), ThreadAxis::group_0);
  std::vector<std::string> items = {nest.far, nest.middle, nest.near};
  std::erase(items, "");
  loops.bind(std::move(items), ThreadAxis::thread_0);
  for (size_t i = 1; i < nest.inside.size(); ++i)
    if (!nest.inside[i].empty()) loops.add(loop::Unroll{nest.inside[i]});
  loops.add(loop::CacheWrite{product.output, nest.near});
  for (const std::string& tensor : {product.by_rows, product.by_columns})
    loops.add(loop::CacheRead{tensor, nest.inside[0], TileScope::local, pad});
  if (tile.ahead > 0)
    for (const std::string& tensor : {product.by_rows, product.by_columns})
      loops.add(loop::DoubleBuffer{tensor + ".cache", tile.ahead + 1});
  loops.add(loop::Tensorize{nest.instruction[0], intrinsic});
}

// The dims with these innermost, in this order.
std::vector<std::string> with_innermost(std::vector<std::string> dims,
                                        const std::vector<std::string>& innermost) {
  for (const std::string& name : innermost) {
    std::erase(dims, name);
    dims.push_back(name);
  }
  return dims;
}

// A reorder, if it changes something.
void add_order(const std::string& tensor, const std::vector<std::string>& dims,
               std::vector<std::string> wanted, Trace& trace) {
  if (wanted != dims)
    trace.layouts.push_back({.tensor = tensor, .primitives = {layout::Reorder{std::move(wanted)}}});
}

// An axis of an operand, and how many of its elements a round copies.
struct TiledAxis {
  std::string name;
  int64_t extent = 1, tile = 1;
};

// Blocks of 8 by 8; with two levels, those of a tile lie together.
TensorLayout in_blocks(const std::string& tensor, std::vector<std::string> dims,
                       const std::vector<TiledAxis>& axes, int64_t levels) {
  constexpr int64_t kBlock = 8;
  TensorLayout layout{.tensor = tensor, .primitives = {}};
  std::vector<std::string> tiles, blocks, inside;
  for (const TiledAxis& axis : axes) {
    std::erase(dims, axis.name);
    std::string rest = axis.name;
    if (levels == 2 && axis.tile < axis.extent) {
      layout.primitives.emplace_back(layout::Split{rest, axis.tile});
      tiles.push_back(rest + ".0");
      rest += ".1";
    }
    layout.primitives.emplace_back(layout::Split{rest, kBlock});
    blocks.push_back(rest + ".0");
    inside.push_back(rest + ".1");
  }
  for (const auto* names : {&tiles, &blocks, &inside})
    dims.insert(dims.end(), names->begin(), names->end());
  layout.primitives.emplace_back(layout::Reorder{std::move(dims)});
  return layout;
}

}  // namespace

std::string mma_of(ElementType type) { return fmt::format("mma.m16n8k16_{}", name_of(type)); }

std::string wgmma_of(ElementType type, int64_t columns) {
  return fmt::format("wgmma.m64n{}k16_{}", columns, name_of(type));
}

WarpTile tile_of(const WarpProduct& product, const Choices& choices) {
  WarpTile tile{.rows = register_tile(choices, product.rows.name),
                .columns = register_tile(choices, product.columns.name),
                .row_warps = cache_tile(choices, product.rows.name),
                .column_warps = cache_tile(choices, product.columns.name),
                .part = inner_part(choices, product.reduction.name),
                .ahead = chosen(choices, ParameterKind::double_buffer, 0)};
  tile.row_levels = chosen(choices, {ParameterKind::layout_levels, product.by_rows});
  tile.column_levels = chosen(choices, {ParameterKind::layout_levels, product.by_columns});
  tile.band = chosen(choices, ParameterKind::outer_order);
  return tile;
}

int64_t groups_along_rows(const WarpProduct& product, const WarpTile& tile) {
  return product.rows.extent / (tile.rows * tile.row_warps);
}

// Warps along rows are part of thread.1, whose work-items are 8 rows of each; those along columns
// are thread.2.
Trace decode_mma(const WarpProduct& product, const WarpTile& tile) {
  const std::string &m = product.rows.name, &n = product.columns.name, &k = product.reduction.name;
  Loops loops;
  Nest nest;
  nest.middle = loops.cut(m, 8 * tile.row_warps);
  const std::string r = loops.cut(m, 2), row_tiles = loops.cut(m, tile.rows / 16);
  const std::string c = loops.cut(n, 2);
  nest.near = loops.cut(n, 4);
  const std::string column_tiles = loops.cut(n, tile.columns / 8);
  nest.far = loops.cut(n, tile.column_warps);
  const std::string terms = loops.cut(k, 16), steps = loops.cut(k, tile.part / 16);
  nest.groups = groups_of(product, tile, loops);
  nest.inside = {loops.outer_of(k), steps, row_tiles, column_tiles};
  nest.instruction = {terms, r, c};
  // Rows eight halves apart are in other banks of local memory.
  constexpr int64_t kPad = 8;
  finish(product, nest, tile, kPad, mma_of(product.type), loops);
  Trace trace;
  for (const auto& [tensor, dims] : {std::pair(product.by_rows, product.by_rows_dims),
                                     std::pair(product.by_columns, product.by_columns_dims)})
    add_order(tensor, dims, with_innermost(dims, {k}), trace);
  add_order(product.output, product.output_dims, with_innermost(product.output_dims, {n}), trace);
  trace.loops.push_back({.stage = "", .primitives = loops.take()});
  return trace;
}

Trace decode_wgmma(const WarpProduct& product, const WarpTile& tile) {
  const std::string &m = product.rows.name, &n = product.columns.name, &k = product.reduction.name;
  Loops loops;
  Nest nest;
  nest.middle = loops.cut(m, 8);
  const std::string r = loops.cut(m, 2);
  nest.far = loops.cut(m, 4 * tile.row_warps);
  const std::string c = loops.cut(n, 2);
  nest.near = loops.cut(n, 4);
  const std::string j = loops.cut(n, tile.columns / 8);
  const std::string terms = loops.cut(k, 8), h = loops.cut(k, 2),
                    steps = loops.cut(k, tile.part / 16);
  nest.groups = groups_of(product, tile, loops);
  nest.inside = {loops.outer_of(k), steps};
  nest.instruction = {h, terms, r, j, c};
  finish(product, nest, tile, /*pad=*/0, wgmma_of(product.type, tile.columns), loops);
  Trace trace;
  const TiledAxis reduction{k, product.reduction.extent, tile.part};
  trace.layouts.push_back(in_blocks(
      product.by_rows, product.by_rows_dims,
      {{m, product.rows.extent, tile.rows * tile.row_warps}, reduction}, tile.row_levels));
  trace.layouts.push_back(
      in_blocks(product.by_columns, product.by_columns_dims,
                {{n, product.columns.extent, tile.columns * tile.column_warps}, reduction},
                tile.column_levels));
  add_order(product.output, product.output_dims, with_innermost(product.output_dims, {n}), trace);
  trace.loops.push_back({.stage = "", .primitives = loops.take()});
  return trace;
}

}  // namespace dovetail::tensor_cores
