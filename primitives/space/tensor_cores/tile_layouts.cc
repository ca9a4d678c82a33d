// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/tile_layouts.h"

#include <algorithm>

#include "core/base/round_up.h"

namespace dovetail::tensor_cores {
namespace {

using Names = std::vector<std::string>;

void append(Names& names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
}

int64_t padded_extent(const WarpProduct& product, const WarpTile& tile, const Axis& axis) {
  return round_up(axis.extent, elements_in_group(product, tile, axis.name));
}

// Zeros behind a dim, if its extent grows.
void add_pad(const std::string& dim, int64_t extent, int64_t padded, TensorLayout& layout) {
  if (padded > extent) layout.primitives.emplace_back(layout::Pad{dim, 0, padded - extent});
}

// The dims of an operand in the order of their storage, as its layout is written down.
class OperandLayout {
 public:
  OperandLayout(const WarpProduct& product, const WarpTile& tile, const ProductOperand& operand)
      : product_(product), tile_(tile), operand_(operand), layout_{operand.tensor, {}} {}

  TensorLayout in_blocks(bool has_tiles) {
    has_tiles_ = has_tiles;
    cut_base();
    cut_reduction();
    for (const OperandDim& dim : operand_.dims) place(dim);
    Names order = front_;
    for (const Names* names : {&tiles_, &taps_, &blocks_, &pixels_, &inside_})
      append(order, *names);
    return finished(std::move(order));
  }

  TensorLayout in_rows() {
    const std::string& k = dim_of(product_.reduction).name;
    add_pad(k, product_.reduction.extent, padded_reduction(product_), layout_);
    for (const OperandDim& dim : operand_.dims)
      if (dim.name != k) place(dim);
    Names order = front_;
    append(order, taps_);
    if (!splits_base(operand_)) place_whole(dim_of(operand_.base));
    append(order, pixels_);
    append(order, inside_);
    order.push_back(k);
    return finished(std::move(order));
  }

 private:
  const OperandDim& dim_of(const Axis& axis) const { return operand_.dim_of(axis.name); }

  // Cuts a dim into tiles, if there are, and into blocks of so many elements.
  void cut(const std::string& dim, int64_t tile, bool is_tiled, int64_t block) {
    std::string rest = dim;
    if (has_tiles_ && is_tiled) {
      layout_.primitives.emplace_back(layout::Split{rest, tile});
      tiles_.push_back(rest + ".0");
      rest += ".1";
    }
    layout_.primitives.emplace_back(layout::Split{rest, block});
    blocks_.push_back(rest + ".0");
    inside_.push_back(rest + ".1");
  }

  void cut_base() {
    if (!splits_base(operand_)) return;
    const Axis& base = operand_.base;
    const int64_t in_group = elements_in_group(product_, tile_, base.name);
    const int64_t padded =
        operand_.is_constant ? padded_extent(product_, tile_, base) : base.extent;
    add_pad(dim_of(base).name, base.extent, padded, layout_);
    cut(dim_of(base).name, in_group, in_group < padded, kBlock);
  }

  void cut_reduction() {
    const Axis& k = product_.reduction;
    add_pad(dim_of(k).name, k.extent, padded_reduction(product_), layout_);
    if (!splits_base(operand_)) place_whole(dim_of(operand_.base));
    cut(dim_of(k).name, tile_.part, tile_.part < padded_reduction(product_), block_terms(product_));
  }

  void place_whole(const OperandDim& base) {
    if (base.phases == 1) return inside_.push_back(base.name);
    layout_.primitives.emplace_back(layout::Split{base.name, base.phases});
    pixels_.push_back(base.name + ".1");
    inside_.push_back(base.name + ".0");
  }

  bool is_tap(const OperandDim& dim) const {
    return !dim.steps.empty() && std::ranges::all_of(dim.steps, [&](const DimStep& step) {
      return std::ranges::find(product_.windows, step.axis, &Axis::name) != product_.windows.end();
    });
  }
  bool is_own(const OperandDim& dim) const {
    return std::ranges::any_of(operand_.axes, [&](const Axis& axis) { return dim.has(axis.name); });
  }

  // A dim that is neither the base's nor the reduction's. Rows of one axis have the others in
  // front; those of pixels have them between the blocks and what is inside.
  void place(const OperandDim& dim) {
    if (dim.has(product_.reduction.name)) return;
    const bool is_base = dim.has(operand_.base.name);
    if (is_base && (tile_.instruction == Instruction::wgmma || !splits_base(operand_))) return;
    if (is_tap(dim)) return place_tap(dim);
    const bool is_pixel =
        is_base || operand_.base.name != operand_.step.name || dim.steps.size() > 1;
    (is_own(dim) && is_pixel ? pixels_ : front_).push_back(dim.name);
  }

  void place_tap(const OperandDim& dim) {
    if (dim.phases == 1) return taps_.push_back(dim.name);
    add_pad(dim.name, dim.extent, round_up(dim.extent, dim.phases), layout_);
    layout_.primitives.emplace_back(layout::Split{dim.name, dim.phases});
    front_.push_back(dim.name + ".1");
    taps_.push_back(dim.name + ".0");
  }

  // With a reorder, if that changes something.
  TensorLayout finished(Names order) {
    Names dims;
    for (const OperandDim& dim : operand_.dims) dims.push_back(dim.name);
    if (order != dims) layout_.primitives.emplace_back(layout::Reorder{std::move(order)});
    return std::move(layout_);
  }

  const WarpProduct& product_;
  const WarpTile& tile_;
  const ProductOperand& operand_;
  TensorLayout layout_;
  bool has_tiles_ = false;
  Names front_, tiles_, taps_, blocks_, pixels_, inside_;
};

Axis axis_named(const WarpProduct& product, const std::string& name) {
  for (const auto* axes : {&product.rows.axes, &product.columns.axes})
    for (const Axis& axis : *axes)
      if (axis.name == name) return axis;
  return {.name = name, .extent = 1};
}

}  // namespace

// Dims of columns and rows; in blocks the eights of columns are outside of the pixels.
TensorLayout output_layout(const WarpProduct& product, const WarpTile& tile) {
  TensorLayout layout{.tensor = product.output.name, .primitives = {}};
  const Names eights = axes_in_eights(product, tile);
  Names dims, front, blocks, pixels, whole, inside;
  for (const OutputDim& dim : product.output_dims) {
    dims.push_back(dim.name);
    const Axis axis = axis_named(product, dim.axis);
    if (axis.extent > 1)
      add_pad(dim.name, dim.extent, padded_extent(product, tile, axis) * dim.phases, layout);
    const bool is_base = axis.name == product.rows.base.name;
    const bool is_column = axis.name == product.columns.base.name;
    if (std::ranges::find(eights, axis.name) != eights.end()) {
      layout.primitives.emplace_back(layout::Split{dim.name, kBlock});
      blocks.push_back(dim.name + ".0");
      inside.insert(is_column ? inside.end() : inside.begin(), dim.name + ".1");
    } else if (dim.phases > 1) {
      layout.primitives.emplace_back(layout::Split{dim.name, dim.phases});
      pixels.insert(pixels.end(), {dim.name + ".0", dim.name + ".1"});
    } else if (is_column) {
      inside.push_back(dim.name);
    } else {
      (is_base && tile.output_levels > 0 ? whole
       : axis.extent == 1                ? front
                                         : pixels)
          .push_back(dim.name);
    }
  }
  Names order = front;
  for (const Names* names : {&blocks, &pixels, &whole, &inside}) append(order, *names);
  if (order != dims) layout.primitives.emplace_back(layout::Reorder{std::move(order)});
  return layout;
}

// A base that a window slides over has neighbours that overlap, and stays whole; so do the pixels
// of convolutions without a window, which read the layout of those with one.
bool splits_base(const ProductOperand& operand) {
  const std::string& base = operand.base.name;
  const bool is_pixel = base != operand.step.name && !is_first_dim(operand, base);
  return operand.dim_of(base).is_only(base) && !is_pixel &&
         (operand.is_constant || operand.base.extent % kBlock == 0);
}

bool has_second_level(const WarpProduct& product, const WarpTile& tile,
                      const ProductOperand& operand) {
  if (!splits_base(operand)) return false;
  const int64_t in_group = elements_in_group(product, tile, operand.base.name);
  const bool divides = operand.is_constant || operand.base.extent % in_group == 0;
  return divides && (in_group < operand.base.extent || tile.part < padded_reduction(product));
}

std::vector<std::string> axes_in_eights(const WarpProduct& product, const WarpTile& tile) {
  if (tile.output_levels == 0) return {};
  std::vector<std::string> axes;
  const auto has_phases = [&](const Axis& axis) {
    return std::ranges::find(product.output_dims, axis.name, &OutputDim::axis)->phases > 1;
  };
  if (splits_base(product.rows) && !has_phases(product.rows.base))
    axes.push_back(product.rows.base.name);
  if (!has_phases(product.columns.base)) axes.push_back(product.columns.base.name);
  return axes;
}

std::vector<TensorLayout> operand_layouts(const WarpProduct& product, const WarpTile& tile) {
  std::vector<TensorLayout> layouts;
  for (const ProductOperand* operand : {&product.rows, &product.columns}) {
    const int64_t levels = operand == &product.rows ? tile.row_levels : tile.column_levels;
    OperandLayout layout(product, tile, *operand);
    layouts.push_back(
        tile.instruction == Instruction::mma
            ? layout.in_rows()
            : layout.in_blocks(levels > 1 && has_second_level(product, tile, *operand)));
  }
  return layouts;
}

}  // namespace dovetail::tensor_cores
