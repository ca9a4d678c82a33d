// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/winograd_space.h"

#include <algorithm>

#include "core/base/check.h"
#include "primitives/algorithm/winograd.h"
#include "primitives/divisors.h"
#include "primitives/layout/apply_layout.h"
#include "primitives/space/decode.h"
#include "primitives/space/default_rule/default_rule.h"
#include "primitives/space/layouts/decode_layouts.h"
#include "primitives/space/winograd/band_loops.h"
#include "primitives/space/winograd/bands.h"
#include "primitives/space/winograd/inner_weights.h"

namespace dovetail {
namespace {

const PlannedStage& product_of(const std::vector<PlannedStage>& stages) {
  const auto it = std::ranges::find(stages, kWinogradProduct, &PlannedStage::name);
  CHECK(it != stages.end(), "Winograd without a product");
  return *it;
}

// Builds layout lines: pads and splits in the order of the calls, then one reorder.
class Lines {
 public:
  explicit Lines(std::string tensor) { lines_.tensor = std::move(tensor); }

  void pad(const std::string& axis, int64_t extent, int64_t padded) {
    if (padded > extent) lines_.primitives.push_back(layout::Pad{axis, 0, padded - extent});
  }
  void keep(const std::string& axis) { outer_.push_back(axis); }
  void innermost(const std::string& axis) { inner_.push_back(axis); }
  void split_in_place(const std::string& axis, int64_t factor) {
    lines_.primitives.push_back(layout::Split{axis, factor});
    outer_.push_back(axis + ".0");
    outer_.push_back(axis + ".1");
  }
  // Puts blocks of `factor` innermost, or the whole axis when it is one block. The axis of blocks
  // is split at `together`.
  void block(const std::string& axis, int64_t extent, int64_t factor, int64_t together = 1) {
    if (factor <= 1) return keep(axis);
    if (factor >= extent) return innermost(axis);
    lines_.primitives.push_back(layout::Split{axis, factor});
    inner_.push_back(axis + ".1");
    if (together == 1 || together * factor >= extent) return keep(axis + ".0");
    split_in_place(axis + ".0", together);
  }

  TensorLayout finish() {
    std::vector<std::string> order = outer_;
    order.insert(order.end(), inner_.begin(), inner_.end());
    if (!inner_.empty()) lines_.primitives.push_back(layout::Reorder{order});
    return std::move(lines_);
  }

 private:
  TensorLayout lines_;
  std::vector<std::string> outer_, inner_;
};

class Decoder {
 public:
  Decoder(const WinogradSpace& space, const Choices& choices)
      : s_(space.product), tile_(space.algorithm.tile), choices_(choices) {}

  TensorLayout input(const Tensor& x) const {
    Lines lines(x.name);
    for (const LogicalDim& dim : x.dims) {
      const int64_t block = layout_tile(choices_, s_.inputs()[0].tensor, dim.name);
      if (dim.name == s_.pure && dim.extent % std::max<int64_t>(block, 1) == 0)
        lines.block(dim.name, dim.extent, block);
      else
        lines.keep(dim.name);
    }
    return lines.finish();
  }

  // Pads channels as W.wino's are, so that its transform needs no bounds.
  TensorLayout weights(const Tensor& w, const Tensor& transformed) const {
    Lines lines(w.name);
    const auto padded = padded_extents(s_, choices_);
    for (const LogicalDim& dim : w.dims) {
      const bool channel = std::ranges::find(transformed.dims, dim.name, &LogicalDim::name) !=
                           transformed.dims.end();
      const auto to = padded.find(dim.name);
      if (to != padded.end()) lines.pad(dim.name, dim.extent, to->second);
      channel&& dim.name == s_.vector_axis ? lines.innermost(dim.name) : lines.keep(dim.name);
    }
    return lines.finish();
  }

  TensorLayout output(const Tensor& y, const Computation& last) const {
    Lines lines(y.name);
    for (const LogicalDim& dim : y.dims) {
      if (is_window_axis(last, dim.name)) {
        const int64_t padded = round_up(dim.extent, tile_);
        if (dim.extent <= tile_) {
          lines.keep(dim.name);
        } else {
          lines.pad(dim.name, dim.extent, padded);
          lines.split_in_place(dim.name, tile_);
        }
      } else if (dim.name == s_.vector_axis) {
        const int64_t block = layout_tile(choices_, s_.output(), dim.name, 1);
        const int64_t of_blocks = blocks_together(dim.name, block);
        const int64_t padded =
            round_up(dim.extent, of_blocks * std::min(block, round_up(dim.extent, s_.lanes)));
        lines.pad(dim.name, dim.extent, padded);
        lines.block(dim.name, padded, block, of_blocks);
      } else {
        lines.keep(dim.name);
      }
    }
    return lines.finish();
  }

 private:
  // Blocks of channels in a block of Y.wino's second level; 1 where it has none.
  int64_t blocks_together(const std::string& axis, int64_t block) const {
    const int64_t number = chosen(choices_, {ParameterKind::layout_block, s_.output(), axis});
    return number * block < padded_extents(s_, choices_).at(axis) ? number : 1;
  }

  const Structure& s_;
  int64_t tile_;
  const Choices& choices_;
};

// Whether plane_storage applies: not to the product's weights, which are read plane by plane.
bool has_planes(const Structure& product, const std::string& tensor) {
  return tensor == product.output() || tensor == product.inputs()[0].tensor;
}

// Moves the planes from the front to directly outside the innermost axis.
void store_planes_innermost(const Structure& product, TensorLayout& lines) {
  const Result<Layout> layout =
      apply_all(lines, identity_layout(product.tensor(lines.tensor).dims));
  CHECK(layout.has_value(), "a layout of the space is legal");
  std::vector<std::string> order;
  for (const PhysicalAxis& axis : layout->axes)
    if (std::ranges::count(product.outermost, axis.name) == 0) order.push_back(axis.name);
  CHECK(!order.empty(), "a transformed tensor has more than planes");
  order.insert(order.end() - 1, product.outermost.begin(), product.outermost.end());
  if (!lines.primitives.empty() &&
      std::get_if<layout::Reorder>(&lines.primitives.back()) != nullptr)
    lines.primitives.pop_back();
  lines.primitives.push_back(layout::Reorder{order});
}

}  // namespace

Result<WinogradSpace> winograd_space(const Operator& op, const algorithm::Winograd& algorithm,
                                     const Target& target) {
  WinogradSpace space{algorithm, TRY(plan_stages(region_of(op), algorithm)), {}};
  const Computation& product = product_of(space.stages).computation;
  space.product = TRY(derive_structure(product, target));
  space.product.splits_reduction = false;  // only the operator's own stage may do that
  for (const Axis& axis : product.axes) {
    const IndexExpr alone = IndexExpr::variable(axis.name);
    const Computation& input = space.stages[1].computation;
    const auto is_table = [&](const Access& a) {
      return find_table(input, a.tensor) != nullptr && a.indices[0] == alone;
    };
    if (std::ranges::any_of(element_reads(input), is_table))
      space.product.outermost.push_back(axis.name);
  }
  const std::vector<std::string>& planes = space.product.outermost;
  if (std::ranges::count(planes, space.product.vector_axis) > 0) return space;
  space.product.bands = row_axes(space.product);
  std::erase_if(space.product.bands,
                [&](const std::string& axis) { return std::ranges::count(planes, axis) > 0; });
  return space;
}

Choices default_choices(const WinogradSpace& space, const Target& target) {
  Choices choices = default_choices(space.product, target);
  if (!space.product.weights_inside) choose_bands(space.product, target, choices);
  if (!is_banded(space.product, choices))
    choose_for_streamed_weights(space.product, target, choices);
  return choices;
}

Trace decode_in_a_band(const WinogradSpace& space, const Target& target, Choices choices) {
  choices.set(ParameterKind::stores, 0);  // meant for the last stage
  return decode(in_a_band(space.product, choices), target, choices);
}

Trace decode(const WinogradSpace& space, const Target& target, const Choices& choices) {
  Trace trace = is_banded(space.product, choices) ? decode_in_a_band(space, target, choices)
                                                  : decode(space.product, target, choices);
  trace.loops[0].stage = kWinogradProduct;
  trace.algorithm = space.algorithm;
  const Decoder decoder(space, choices);
  const Computation& weights = space.stages[0].computation;
  const Computation& input = space.stages[1].computation;
  const Computation& last = space.stages.back().computation;
  trace.layouts.insert(trace.layouts.begin(),
                       {decoder.input(input.tensors[0]),
                        decoder.weights(weights.tensors[0], weights.tensors.back())});
  trace.layouts.push_back(decoder.output(last.tensors.back(), last));
  if (is_banded(space.product, choices)) run_in_bands(space, target, choices, trace);
  if (has_inner_weights(space.product, choices))
    transform_inside(space.stages[0], space.product, choices, trace);
  if (chosen(choices, ParameterKind::plane_storage, 0) == 1) {
    for (TensorLayout& lines : trace.layouts)
      if (has_planes(space.product, lines.tensor)) store_planes_innermost(space.product, lines);
  }
  std::erase_if(trace.layouts, [](const TensorLayout& lines) { return lines.primitives.empty(); });
  return trace;
}

}  // namespace dovetail
