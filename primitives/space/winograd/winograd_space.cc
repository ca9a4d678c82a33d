// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/winograd_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/default_rule/default_rule.h"
#include "primitives/space/layouts/decode_layouts.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/machine_facts.h"
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
  Decoder(const WinogradPlan& plan, const Choices& choices)
      : s_(plan.facts()), tile_(plan.algorithm.tile), choices_(choices) {}

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

  const ContractionFacts& s_;
  int64_t tile_;
  const Choices& choices_;
};

// Moves the planes from the front to directly outside the innermost axis.
void store_planes_innermost(const WinogradPlan& plan, TensorLayout& lines) {
  std::vector<std::string> order;
  for (const PhysicalAxis& axis : applied(lines, plan.facts().tensor(lines.tensor).dims).axes)
    if (std::ranges::count(plan.planes(), axis.name) == 0) order.push_back(axis.name);
  CHECK(!order.empty(), "a transformed tensor has more than planes");
  order.insert(order.end() - 1, plan.planes().begin(), plan.planes().end());
  if (!lines.primitives.empty() &&
      std::get_if<layout::Reorder>(&lines.primitives.back()) != nullptr)
    lines.primitives.pop_back();
  lines.primitives.push_back(layout::Reorder{order});
}

// Not of the product's weights, which are read plane by plane.
void store_planes_innermost(const WinogradPlan& plan, Trace& trace) {
  const ContractionFacts& s = plan.facts();
  for (TensorLayout& lines : trace.layouts)
    if (lines.tensor == s.output() || lines.tensor == s.inputs()[0].tensor)
      store_planes_innermost(plan, lines);
}

Trace decoded_product(const WinogradPlan& plan, const Target& target, const Choices& choices) {
  if (is_banded(plan, choices)) {
    Choices own = choices;
    own.set(ParameterKind::stores, 0);  // meant for the last stage
    return decode(in_a_band(plan, choices), target, own);
  }
  ContractionPlan product = plan.product;
  if (has_inner_weights(plan, choices)) product.made_inside = product.facts.inputs()[1].tensor;
  return decode(product, target, choices);
}

Trace decode(const WinogradPlan& plan, const Target& target, const Choices& choices) {
  Trace trace = decoded_product(plan, target, choices);
  trace.loops[0].stage = kWinogradProduct;
  trace.algorithm = plan.algorithm;
  const Decoder decoder(plan, choices);
  const Computation& weights = plan.stages[0].computation;
  const Computation& input = plan.stages[1].computation;
  const Computation& last = plan.stages.back().computation;
  trace.layouts.insert(trace.layouts.begin(),
                       {decoder.input(input.tensors[0]),
                        decoder.weights(weights.tensors[0], weights.tensors.back())});
  trace.layouts.push_back(decoder.output(last.tensors.back(), last));
  if (is_banded(plan, choices)) run_in_bands(plan, target, choices, trace);
  if (has_inner_weights(plan, choices)) transform_inside(plan, choices, trace);
  if (chosen(choices, ParameterKind::plane_storage, 0) == 1) store_planes_innermost(plan, trace);
  std::erase_if(trace.layouts, [](const TensorLayout& lines) { return lines.primitives.empty(); });
  return trace;
}

int64_t elements_of_a_tile(const WinogradPlan& plan) {
  int64_t elements = 1;
  for (const std::string& plane : plan.planes()) elements *= plan.facts().axis(plane).extent;
  return elements;
}

// Each transform that runs every time is a kernel of its own, bound by what it reads and writes;
// none where a work-item's tile leaves no registers for its sums, as F(4) in three dimensions.
std::optional<double> with_transforms(double product_seconds, const WinogradPlan& plan,
                                      const Target& target) {
  const DeviceUnit unit = device_unit(target);
  if (2 * static_cast<double>(elements_of_a_tile(plan)) > unit.room.registers_of_item)
    return std::nullopt;
  double seconds = product_seconds;
  for (const PlannedStage& stage : plan.stages) {
    if (stage.prepares || stage.name == kWinogradProduct) continue;
    int64_t bytes = 0;
    for (const Tensor& tensor : stage.computation.tensors) bytes += tensor_bytes(tensor);
    seconds +=
        1e-6 * (unit.launch_microseconds + static_cast<double>(bytes) / unit.bytes_per_microsecond);
  }
  return seconds;
}

// The default rule's choices for the product, and whether it runs in bands.
DefaultChoices default_choices(const WinogradPlan& plan, const Target& target) {
  DefaultChoices found = default_choices(plan.product, target);
  if (found.estimated_seconds)
    found.estimated_seconds = with_transforms(*found.estimated_seconds, plan, target);
  if (!runs_threads(target)) return found;
  if (!plan.weights_inside) choose_bands(plan, target, found.choices);
  if (!is_banded(plan, found.choices)) choose_for_streamed_weights(plan, target, found.choices);
  return found;
}

// The input transform must store channels innermost, or its loads are gathers.
void keep_channels_in_vectors(const ContractionFacts& product, std::vector<Parameter>& parameters) {
  const ParameterId tile(ParameterKind::layout_tile, product.inputs()[0].tensor, product.pure);
  for (Parameter& parameter : parameters)
    if (id_of(parameter) == tile) leave_out({0}, parameter);
}

Alternative alternative_of(std::string name, WinogradPlan own, const Target& target,
                           const std::optional<FixedLayout>& layout) {
  const auto plan = std::make_shared<const WinogradPlan>(std::move(own));
  std::vector<Parameter> parameters = derive_parameters(
      {plan, &plan->product}, target,
      {.after_cache_tiles = [&](ParameterList& list) { add_bands(plan, list); },
       .after_inner_part = [&](ParameterList& list) { add_inner_weights(plan, target, list); }});
  keep_bands_row_major(*plan, parameters);
  keep_inner_weights_row_major(*plan, parameters);
  keep_channels_in_vectors(plan->facts(), parameters);
  if (layout) parameters = with_layout(std::move(parameters), plan->facts(), *layout);
  DefaultChoices found = default_choices(*plan, target);
  return Alternative{
      .name = std::move(name),
      .parameters = std::move(parameters),
      .decode = [plan, target](const Choices& c) { return decode(*plan, target, c); },
      .wanted = std::move(found.choices),
      .estimated_seconds = found.estimated_seconds};
}

// Axes of the product that count coordinates of a transformed tile.
std::vector<std::string> planes_of(const std::vector<PlannedStage>& stages) {
  const Computation& input = stages[1].computation;
  std::vector<std::string> planes;
  for (const Axis& axis : product_of(stages).computation.axes) {
    const auto is_table = [&](const Access& a) {
      return find_table(input, a.tensor) != nullptr &&
             a.indices[0] == IndexExpr::variable(axis.name);
    };
    if (std::ranges::any_of(element_reads(input), is_table)) planes.push_back(axis.name);
  }
  return planes;
}

}  // namespace

Result<WinogradPlan> winograd_plan(const Operator& op, const algorithm::Winograd& algorithm,
                                   const Target& target) {
  WinogradPlan plan{algorithm, TRY(plan_stages(region_of(op), algorithm)), {}};
  plan.product.facts = TRY(derive_facts(product_of(plan.stages).computation, target));
  plan.product.outermost = planes_of(plan.stages);
  const auto is_plane = [&](const std::string& axis) {
    return std::ranges::count(plan.planes(), axis) > 0;
  };
  if (runs_work_groups(target)) {
    plan.product.stage = kWinogradProduct;  // which copies its operands to local memory
    plan.product.inputs_are_made = true;
    return plan;
  }
  if (is_plane(plan.facts().vector_axis)) return plan;
  plan.bands = row_axes(plan.facts());
  std::erase_if(plan.bands, is_plane);
  return plan;
}

std::vector<Alternative> winograd_alternatives(const Operator& op, const Target& target,
                                               int64_t tile,
                                               const std::optional<FixedLayout>& layout) {
  Target buffers = target;  // transforms store to buffers only
  buffers.has_images = false;
  Result<WinogradPlan> plan = winograd_plan(op, algorithm::Winograd{tile}, buffers);
  if (!plan) return {};
  if (layout && contiguous_axis(define(op), *layout) != plan->facts().vector_axis) return {};
  const std::string name = fmt::format("winograd_{}", tile);
  std::vector<Alternative> alternatives = {alternative_of(name, *plan, buffers, layout)};
  if (runs_threads(target) && may_have_inner_weights(*plan, buffers)) {
    plan->weights_inside = true;
    alternatives.push_back(alternative_of(name + "_inner", *std::move(plan), buffers, layout));
  }
  return alternatives;
}

}  // namespace dovetail
