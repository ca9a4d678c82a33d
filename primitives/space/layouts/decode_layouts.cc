// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/layouts/decode_layouts.h"

#include <algorithm>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/layout/apply_layout.h"

namespace dovetail {
namespace {

enum Place : int {
  kPhase,
  kBatch,
  kChannelsFirst,
  kRows,
  kChannelsLast,
  kBlockBatch,  // the four places above, inside a block of the second level
  kBlockChannelsFirst,
  kBlockRows,
  kBlockChannelsLast,
  kWindow,
  kRowTile,
  kReductionTile,
  kVectorTile
};

int in_block(int place) { return place + (kBlockBatch - kBatch); }

struct Piece {
  std::string name;
  int place = kRows;
};

class LayoutBuilder {
 public:
  explicit LayoutBuilder(std::string tensor) { lines_.tensor = std::move(tensor); }

  void pad(const std::string& axis, int64_t before, int64_t after) {
    if (before > 0 || after > 0) lines_.primitives.emplace_back(layout::Pad{axis, before, after});
  }
  void split(const std::string& axis, int64_t factor) {
    lines_.primitives.emplace_back(layout::Split{axis, factor});
  }
  // Tiles of the axis at `outer` and their elements at `inner`, or the whole axis at one of them
  // when the tile is none or all of it. `block` tiles form a block of the second level.
  void tile(const std::string& axis, int64_t extent, int64_t factor, int outer, int inner,
            int64_t block = 1) {
    if (factor <= 1) return tiles(axis, extent, outer, block);
    if (factor >= extent) return whole(axis, inner);
    split(axis, factor);
    tiles(axis + ".0", extent / factor, outer, block);
    whole(axis + ".1", inner);
  }
  void unfold(const std::string& axis, const UnfoldedRow& row, int64_t block) {
    if (row.size == row.stride)
      lines_.primitives.emplace_back(layout::Split{axis, row.size});
    else
      lines_.primitives.emplace_back(layout::Unfold{axis, row.size, row.stride});
    tiles(axis + ".0", row.tiles, kRows, block);
    whole(axis + ".1", kRowTile);
  }
  void whole(const std::string& axis, int place) { pieces_.push_back({axis, place}); }

  TensorLayout finish(MemoryScope scope) {
    std::vector<Piece> sorted = pieces_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Piece& a, const Piece& b) { return a.place < b.place; });
    layout::Reorder order;
    bool moved = false;
    for (size_t p = 0; p < sorted.size(); ++p) {
      order.axes.push_back(sorted[p].name);
      moved = moved || sorted[p].name != pieces_[p].name;
    }
    if (moved) lines_.primitives.emplace_back(std::move(order));
    lines_.scope = scope;
    return lines_;
  }

 private:
  void tiles(const std::string& axis, int64_t number, int place, int64_t block) {
    if (block <= 1) return whole(axis, place);
    if (block >= number) return whole(axis, in_block(place));
    split(axis, block);
    whole(axis + ".0", place);
    whole(axis + ".1", in_block(place));
  }

  TensorLayout lines_;
  std::vector<Piece> pieces_;  // in the order that the axes have before the reorder
};

MemoryScope scope_of(const Choices& choices, const std::string& tensor) {
  return static_cast<MemoryScope>(chosen(choices, {ParameterKind::scope, tensor}, 0));
}

int64_t block_of(const Choices& choices, const std::string& tensor, const std::string& axis) {
  return chosen(choices, {ParameterKind::layout_block, tensor, axis});
}

const std::string* only_output_axis(const ContractionFacts& s, const IndexExpr& index) {
  for (const ContractionAxis& a : s.axes)
    if (s.is_output(a.name) && index.mentions(a.name)) return &a.name;
  return nullptr;
}

// A dimension of an input that a row axis of the output, possibly the vector axis, indexes.
void add_row(const ContractionFacts& s, const Choices& choices, const Access& access, size_t dim,
             const std::string& axis, LayoutBuilder& builder) {
  const Tensor& tensor = s.tensor(access.tensor);
  const std::string& name = tensor.dims[dim].name;
  const Range reached = index_range(access.indices[dim], s, padded_extents(s, choices));
  const int64_t stored = storage(choices, access.tensor, axis);
  const int place =
      axis == s.vector_axis ? kVectorTile : (s.axis(axis).sliding || dim > 0 ? kRows : kBatch);
  if (stored == kGuard) return builder.whole(name, place);
  if (stored == kPad) {
    builder.pad(name, std::max<int64_t>(0, -reached.min),
                std::max<int64_t>(0, reached.max - (tensor.dims[dim].extent - 1)));
    return builder.whole(name, place);
  }
  const UnfoldedRow row = unfolded_row(s, choices, access, dim, axis);
  builder.pad(name, row.before, row.after);
  builder.unfold(name, row, block_of(choices, access.tensor, axis));
}

bool follows_phase(const ContractionFacts& s, const std::string& dim) {
  return std::ranges::any_of(
      s.axes, [&](const ContractionAxis& a) { return a.name == dim && !a.phase_of.empty(); });
}

// W's dimension of a window whose low digit follows a phase. The digit goes outermost, since each
// phase reads its own weights; where phases share a register tile, the dimension stays whole.
void add_phased_window(const ContractionFacts& s, const Choices& choices, const std::string& window,
                       const std::string& tensor, int64_t taps, LayoutBuilder& builder) {
  const ContractionAxis& axis = s.axis(window);
  if (storage(choices, tensor, window) == kGuard) return builder.whole(window, kWindow);
  const int64_t padded = round_up(taps, axis.phases);
  builder.pad(window, 0, padded - taps);
  if (chosen(choices, {ParameterKind::phase, axis.phase_of}, 0) == 1)
    return builder.whole(window, kWindow);
  builder.tile(window, padded, axis.phases, kWindow, kPhase);
}

// Y's dimension of an axis that is split at a stride: its phase inside the rest, or outermost.
void add_phased_output(const ContractionFacts& s, const Choices& choices, const std::string& axis,
                       int64_t units, int64_t tile, int64_t block, LayoutBuilder& builder) {
  const bool vector = axis == s.vector_axis;
  const int inner = vector ? kVectorTile : kRowTile;
  const bool outermost = chosen(choices, ParameterKind::phase_storage, 0) == 1;
  if (units == 1) return builder.whole(axis, outermost ? kPhase : kRows);
  builder.split(axis, s.axis(axis).phases);
  builder.tile(axis + ".0", units, tile, kRows, inner, block);
  const bool beside_tile = tile > 1 && !vector;
  builder.whole(axis + ".1", outermost ? kPhase : (beside_tile ? kRowTile : kRows));
}

// Grows a dimension that stores more than its axis iterates (a guest tensor, elements that are
// never read) by whole tiles; a tile or a block that spans the axis grows instead.
void hold_all(int64_t stored, int64_t& extent, int64_t& tile, int64_t& block) {
  const bool whole = tile >= extent;
  const int64_t unit = std::max<int64_t>(tile, 1);
  const bool one_block = block > 1 && unit * block >= extent;
  extent = round_up(std::max(extent, stored), whole ? 1 : unit * (one_block ? 1 : block));
  if (whole) tile = extent;
  if (one_block) block = extent;
}

// Whether the output and all inputs store the dimension that the axis indexes untiled.
bool is_stored_whole(const ContractionFacts& s, const Choices& choices, const std::string& axis) {
  if (axis == s.vector_axis)
    return layout_tile(choices, s.output(), axis) >= s.axis(axis).extent &&
           block_of(choices, s.output(), axis) == 1;
  if (chosen(choices, {ParameterKind::layout_tile, s.output(), axis}, 0) > 0) return false;
  if (block_of(choices, s.output(), axis) > 1) return false;
  return std::ranges::all_of(s.inputs(), [&](const Access& access) {
    const int64_t storage = chosen(choices, {ParameterKind::storage, access.tensor, axis}, kPad);
    return storage != kUnfoldTile && storage != kUnfoldCache;
  });
}

}  // namespace

Layout applied(const TensorLayout& lines, const std::vector<LogicalDim>& dims) {
  Result<Layout> layout = apply_all(lines, identity_layout(dims));
  CHECK(layout.has_value(), "a layout of the space is illegal: " + layout.error().message);
  return *std::move(layout);
}

std::map<std::string, int64_t> padded_extents(const ContractionFacts& s, const Choices& choices) {
  std::map<std::string, int64_t> result;
  for (const std::string& axis : s.tiled) {
    const AxisTail tail = s.axis(axis).tail;
    const bool is_cut = tail == AxisTail::cut ||
                        (tail == AxisTail::cut_untiled && is_stored_whole(s, choices, axis));
    result[axis] = round_up(s.axis(axis).extent, is_cut ? 1 : register_tile(choices, axis));
  }
  if (!s.pure.empty())
    result[s.pure] = round_up(s.axis(s.pure).extent, unroll_part(choices, s.pure));
  return result;
}

UnfoldedRow unfolded_row(const ContractionFacts& s, const Choices& choices, const Access& access,
                         size_t dim, const std::string& axis) {
  const auto padded = padded_extents(s, choices);
  const Range reached = index_range(access.indices[dim], s, padded);
  const int64_t extent = s.tensor(access.tensor).dims[dim].extent;
  const bool by_cache_tile = storage(choices, access.tensor, axis) == kUnfoldCache;
  const int64_t tile =
      register_tile(choices, axis) * (by_cache_tile ? cache_tile(choices, axis) : 1);
  const int64_t coefficient = access.indices[dim].coefficient(axis);
  const int64_t tiles = padded.at(axis) / tile;
  const int64_t span =
      reached.max - reached.min - coefficient * (padded.at(axis) - 1);  // window alone
  UnfoldedRow row;
  row.stride = coefficient * tile;
  row.size = std::max(coefficient * (tile - 1) + span + 1, row.stride);
  row.before = std::max<int64_t>(0, -reached.min);
  const int64_t inside = row.before + extent;
  row.after = std::max<int64_t>(0, row.stride * (tiles - 1) + row.size - inside);
  if (row.size == row.stride) row.after = round_up(inside + row.after, row.stride) - inside;
  row.tiles = round_up(inside + row.after - row.size, row.stride) / row.stride + 1;
  return row;
}

std::vector<LogicalDim> stored_dims(const ContractionFacts& s, const Choices& choices,
                                    const Tensor& tensor) {
  std::vector<LogicalDim> dims = tensor.dims;
  const bool holds =
      chosen(choices, {ParameterKind::store_at, "bias"}, 0) == 1 && host_of_bias(s) == tensor.name;
  for (LogicalDim& dim : dims) dim.extent += holds && dim.name == s.pure ? 1 : 0;
  return dims;
}

std::string host_of_bias(const ContractionFacts& s) {
  const bool has_bias = std::ranges::any_of(
      s.computation.tensors, [](const Tensor& tensor) { return tensor.name == "bias"; });
  if (!has_bias || s.pure.empty()) return "";
  const Tensor& weights = s.tensor(s.inputs()[1].tensor);
  const bool along =
      std::ranges::any_of(weights.dims, [&](const LogicalDim& dim) { return dim.name == s.pure; });
  return along && weights.role == TensorRole::constant ? weights.name : "";
}

bool is_copied(const ContractionFacts& s, const Choices& choices, const Access& access) {
  const Tensor& tensor = s.tensor(access.tensor);
  return tensor.role != TensorRole::constant &&
         !is_one_to_one(applied(input_layout(s, choices, access), stored_dims(s, choices, tensor)));
}

bool leaves_tensor(const ContractionFacts& s, const Choices& choices, const Access& access,
                   size_t dim) {
  const Range reached = index_range(access.indices[dim], s, padded_extents(s, choices));
  return reached.min < 0 || reached.max >= s.tensor(access.tensor).dims[dim].extent;
}

TensorLayout output_layout(const ContractionFacts& s, const Choices& choices) {
  const auto padded = padded_extents(s, choices);
  LayoutBuilder builder(s.output());
  const Tensor& tensor = s.tensor(s.output());
  for (size_t j = 0; j < tensor.dims.size(); ++j) {
    const std::string& axis = tensor.dims[j].name;
    const int64_t extent = padded.contains(axis) ? padded.at(axis) : tensor.dims[j].extent;
    if (const int64_t phases = s.axis(axis).phases; phases > 1) {
      const int64_t units = padded.contains(axis) ? padded.at(axis) : 1;
      builder.pad(axis, 0, units * phases - tensor.dims[j].extent);
      add_phased_output(s, choices, axis, units, layout_tile(choices, tensor.name, axis),
                        block_of(choices, tensor.name, axis), builder);
      continue;
    }
    builder.pad(axis, 0, extent - tensor.dims[j].extent);
    const bool last = chosen(choices, {ParameterKind::channel_tiles, tensor.name}, 0) == 1;
    const bool batch = j == 0 || s.axis(axis).kind == AxisClass::shared;
    const int outer =
        s.tiles_channels(axis) ? (last ? kChannelsLast : kChannelsFirst) : (batch ? kBatch : kRows);
    builder.tile(axis, extent, layout_tile(choices, tensor.name, axis), outer,
                 axis == s.vector_axis ? kVectorTile : kRowTile,
                 block_of(choices, tensor.name, axis));
  }
  return builder.finish(MemoryScope::global);
}

TensorLayout input_layout(const ContractionFacts& s, const Choices& choices, const Access& access) {
  const auto padded = padded_extents(s, choices);
  LayoutBuilder builder(access.tensor);
  const Tensor& tensor = s.tensor(access.tensor);
  const bool is_first = access.tensor == s.inputs()[0].tensor;
  const bool has_vectors = std::ranges::any_of(
      access.indices, [&](const IndexExpr& index) { return index.mentions(s.vector_axis); });
  const int64_t place = chosen(choices, {ParameterKind::channel_tiles, access.tensor}, 0);
  for (size_t j = 0; j < tensor.dims.size(); ++j) {
    const std::string* output = only_output_axis(s, access.indices[j]);
    const std::string& name = tensor.dims[j].name;
    if (output != nullptr && s.axis(*output).kind == AxisClass::row) {
      add_row(s, choices, access, j, *output, builder);
    } else if (output != nullptr && s.tiles_channels(*output)) {
      const int64_t stored = tensor.dims[j].extent;
      int64_t extent = padded.contains(*output) ? padded.at(*output) : stored;
      int64_t tile = layout_tile(choices, access.tensor, *output),
              block = block_of(choices, access.tensor, *output);
      // Input tiles are whole even where the output's tail is cut; padding constants costs nothing.
      if (tile < extent || tensor.role == TensorRole::constant)
        extent = round_up(extent, register_tile(choices, *output));
      if (stored > s.axis(*output).extent) hold_all(stored, extent, tile, block);
      const bool beside_vectors = *output != s.vector_axis && has_vectors;
      builder.pad(name, 0, extent - stored);
      builder.tile(name, extent, tile, place == 0 ? kChannelsFirst : kChannelsLast,
                   beside_vectors ? kRowTile : kVectorTile, block);
    } else if (output != nullptr) {
      builder.whole(name, kBatch);
    } else if (name == s.pure) {
      int64_t tile = layout_tile(choices, access.tensor, name),
              block = block_of(choices, access.tensor, name);
      const int64_t stored = stored_dims(s, choices, tensor)[j].extent;
      int64_t extent = padded.at(name);
      if (stored > s.axis(name).extent) hold_all(stored, extent, tile, block);
      builder.pad(name, 0, extent - stored);
      // In W the reduction is inside the columns when place is 0 (kRows), else outside them
      // (kBatch).
      const bool after = is_first ? place == 1 : place == 0;
      const int outer =
          is_first ? (after ? kChannelsLast : kChannelsFirst) : (after ? kRows : kBatch);
      builder.tile(name, extent, tile, outer, kReductionTile, block);
    } else if (!is_first && follows_phase(s, name)) {
      add_phased_window(s, choices, name, access.tensor, tensor.dims[j].extent, builder);
    } else {
      builder.whole(name, is_first ? kRows : kWindow);
    }
  }
  return builder.finish(scope_of(choices, access.tensor));
}

}  // namespace dovetail
