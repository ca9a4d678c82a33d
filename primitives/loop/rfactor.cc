// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/rfactor.h"

#include <algorithm>

#include "core/ir/value/walk.h"

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

Layout with_axis_in_front(const Layout& layout, const StageLoop& loop) {
  Layout result;
  result.logical = {{loop.name, loop.extent}};
  result.logical.insert(result.logical.end(), layout.logical.begin(), layout.logical.end());
  result.offsets = {0};
  result.offsets.insert(result.offsets.end(), layout.offsets.begin(), layout.offsets.end());
  result.axes = {{loop.name, {{0, 1, loop.extent}}}};
  for (PhysicalAxis axis : layout.axes) {
    for (Digit& digit : axis.digits) ++digit.dim;
    result.axes.push_back(std::move(axis));
  }
  return result;
}

Result<void> check(const loop::RFactor& rfactor, const Stage& stage) {
  const std::string what = print(LoopPrimitive(rfactor));
  const size_t l = TRY(require_plain_loop(what, rfactor.loop, stage));
  if (!stage.loops[l].reduction)
    return refuse(what, "loop {} is an output loop, expected a reduction", rfactor.loop);
  if (!stage.computation.tables.empty())
    return refuse(
        what, "loop {} runs over a table of coefficients, expected a sum of products of tensors",
        rfactor.loop);
  if (!stage.cached_reads.empty() || !stage.prefetches.empty())
    return refuse(what, "found cache_read or prefetch before it, expected them after it");
  for (const Axis& axis : stage.computation.axes) {
    const auto follows = [&](const StageLoop& loop) {
      return axis.reduction && !loop.reduction &&
             stage.axis_values.at(axis.name).mentions(loop.name);
    };
    const auto phase = std::ranges::find_if(stage.loops, follows);
    if (phase == stage.loops.end()) continue;
    return refuse(
        what, "the sum over {} follows the output loop {}, expected a sum of its own loops only",
        axis.name, phase->name);
  }
  if (stage.cache_write_at)
    return refuse(what, "{} is already accumulated at {}; rfactor before cache_write",
                  stage.computation.output.tensor, *stage.cache_write_at);
  return {};
}

std::vector<Axis> output_axes(const Computation& c) {
  std::vector<Axis> axes;
  for (const Axis& axis : c.axes) {
    if (!axis.reduction) axes.push_back(axis);
  }
  return axes;
}

// The reduction axes give way to the loops that count them.
Computation partial_sums(const Stage& stage, const StageLoop& apart, const Tensor& partial) {
  const Computation& c = stage.computation;
  Ranges ranges = loop_ranges(stage);
  std::map<std::string, IndexExpr, std::less<>> values;
  for (const Axis& axis : c.axes) {
    if (axis.reduction) values[axis.name] = stage.axis_values.at(axis.name);
    ranges[axis.name] = {0, axis.extent - 1};
  }
  Computation result;
  result.axes = output_axes(c);
  result.axes.insert(result.axes.begin(), {apart.name, apart.extent, false});
  for (const StageLoop& loop : stage.loops) {
    if (loop.reduction && loop.name != apart.name)
      result.axes.push_back({loop.name, loop.extent, true});
  }
  for (Access access : element_reads(c)) {
    for (IndexExpr& index : access.indices) index = substitute(index, values, ranges);
    for (Bound& bound : access.conditions) bound.expr = substitute(bound.expr, values, ranges);
    result.tensors.push_back(tensor_named(c, access.tensor));
    result.reads.push_back(std::move(access));
  }
  result.element = c.element;
  result.reducer = c.reducer;
  result.output = {partial.name, c.output.indices};
  result.output.indices.insert(result.output.indices.begin(), IndexExpr::variable(apart.name));
  result.tensors.push_back(partial);
  return result;
}

Computation sum_of(const Computation& c, const StageLoop& apart, Tensor partial) {
  Computation result;
  result.axes = output_axes(c);
  result.axes.push_back({apart.name, apart.extent, true});
  result.reads = {{partial.name, c.output.indices}};
  result.reads[0].indices.insert(result.reads[0].indices.begin(), IndexExpr::variable(apart.name));
  result.element = read_of(0);
  result.reducer = c.reducer;
  partial.role = TensorRole::activation;
  result.tensors = {std::move(partial)};
  const auto extras = result_reads(c);
  const int moved = 1 - static_cast<int>(element_reads(c).size());
  result.result = with_reads(c.result, [&](int position) { return ReadOf{position + moved}; });
  for (const Access& access : extras) {
    result.reads.push_back(access);
    result.tensors.push_back(tensor_named(c, access.tensor));
  }
  result.tensors.push_back(tensor_named(c, c.output.tensor));
  result.output = c.output;
  return result;
}

}  // namespace

Result<SplitReduction> split_reduction(const loop::RFactor& rfactor, const Stage& stage,
                                       const Layout& output_layout) {
  TRY(check(rfactor, stage));
  const size_t l = TRY(require_loop("rfactor", rfactor.loop, stage));
  const StageLoop apart = stage.loops[l];
  SplitReduction result;
  result.layout = with_axis_in_front(output_layout, apart);
  const std::string name = stage.computation.output.tensor + ".rf";
  const Tensor partial{name, result.layout.logical, TensorRole::output};
  result.remaining = sum_of(stage.computation, apart, partial);
  Stage& sums = result.partial;
  sums.name = name;
  sums.role = StageRole::partial;
  sums.computation = partial_sums(stage, apart, partial);
  sums.loops = stage.loops;
  sums.loops[l].reduction = false;
  for (const Axis& axis : sums.computation.axes) {
    const auto value = stage.axis_values.find(axis.name);
    const bool is_loop = axis.reduction || axis.name == apart.name;
    sums.axis_values[axis.name] = is_loop ? IndexExpr::variable(axis.name) : value->second;
  }
  sums.output_indices = stage.output_indices;
  sums.output_indices.insert(sums.output_indices.begin(), IndexExpr::variable(apart.name));
  return result;
}

Result<Stage> apply(const loop::RFactor& rfactor, const Stage& stage) {
  return refuse(print(LoopPrimitive(rfactor)),
                "stage {} is not split in two; expected rfactor once, in the operator's own loops",
                stage.name);
}

}  // namespace dovetail
