// SPDX-License-Identifier: Apache-2.0
#include "primitives/initial_loops.h"

#include <algorithm>

#include "core/ir/value/walk.h"
#include "primitives/copy.h"
#include "primitives/divisors.h"

namespace dovetail {
namespace {

// A sum of products runs over the padded extent of its axis where every tensor that the axis
// indexes stores that much, and one of them ends with the axis, so that it has zeros there.
int64_t reduction_extent(const Axis& axis, const Computation& computation,
                         const std::map<std::string, Layout>& layouts, const ZeroBeyond& zero) {
  if (!is_product_sum(computation)) return axis.extent;
  const IndexExpr alone = IndexExpr::variable(axis.name);
  int64_t common = -1;
  bool ends = false;
  for (const Access& access : element_reads(computation)) {
    if (find_table(computation, access.tensor) != nullptr) return axis.extent;
    for (size_t j = 0; j < access.indices.size(); ++j) {
      if (!access.indices[j].mentions(axis.name)) continue;
      if (!(access.indices[j] == alone) || !zero(access.tensor, j)) return axis.extent;
      ends |= tensor_named(computation, access.tensor).dims[j].extent <= axis.extent;
      const int64_t stored = stored_range(layouts.at(access.tensor), static_cast<int>(j)).max + 1;
      common = common < 0 ? stored : std::min(common, stored);
    }
  }
  return ends ? std::max(common, axis.extent) : axis.extent;
}

// One loop per reduction axis. Where a condition fixes the low digit, only the others are looped
// over, kh = 2*kh' + ((h + 1) mod 2), and the condition always holds.
void add_reduction_loops(const std::map<std::string, Layout>& layouts, const ZeroBeyond& zero,
                         Stage& stage) {
  const std::vector<FixedDigit> fixed = fixed_digits(stage.computation);
  for (const Axis& axis : stage.computation.axes) {
    if (!axis.reduction) continue;
    StageLoop loop{.name = axis.name, .reduction = true};
    IndexExpr value = IndexExpr::variable(axis.name);
    const auto low = std::ranges::find(fixed, axis.name, &FixedDigit::axis);
    if (low == fixed.end()) {
      loop.extent = reduction_extent(axis, stage.computation, layouts, zero);
    } else {
      loop.extent = round_up(axis.extent, low->step) / low->step;
      value = value * low->step + substitute(low->digit, stage.axis_values, loop_ranges(stage));
    }
    stage.loops.push_back(std::move(loop));
    stage.axis_values[axis.name] = value;
  }
}

// One loop for each data-dependent index, inside all loops that its data depend on.
void add_chosen_loops(Stage& stage) {
  const Computation& c = stage.computation;
  for (size_t k = 0; k < c.gathers.size(); ++k) {
    const GatherIndex& index = c.gathers[k];
    size_t place = 0;
    for_each_index(index.value, c.reads, [&](const IndexExpr& e) {
      const IndexExpr over = substitute(e, stage.axis_values, loop_ranges(stage));
      for (size_t l = place; l < stage.loops.size(); ++l)
        if (over.mentions(stage.loops[l].name)) place = l + 1;
    });
    stage.loops.insert(
        stage.loops.begin() + static_cast<ptrdiff_t>(place),
        {.name = index.name, .extent = index.extent, .gathers = static_cast<int>(k)});
    stage.axis_values[index.name] = IndexExpr::variable(index.name);
  }
}

StageRole role_of(const Computation& computation) {
  if (!computation.tables.empty()) return StageRole::transform;
  return is_copy(computation) ? StageRole::copy : StageRole::computation;
}

}  // namespace

std::vector<IndexExpr> logical_indices(const Layout& layout, const std::vector<IndexExpr>& physical,
                                       const Ranges& ranges) {
  std::vector<IndexExpr> logical(layout.offsets.begin(), layout.offsets.end());
  for (size_t a = 0; a < layout.axes.size(); ++a) {
    const std::vector<Digit>& digits = layout.axes[a].digits;
    int64_t below = 1;
    for (size_t d = digits.size(); d-- > 0;) {
      IndexExpr value = floor_div(physical[a], below, ranges);
      if (d > 0) value = floor_mod(value, digits[d].extent, ranges);
      IndexExpr& dim = logical[static_cast<size_t>(digits[d].dim)];
      dim = dim + value * digits[d].step;
      below *= digits[d].extent;
    }
  }
  return logical;
}

namespace {

// Axes that a physical axis of the output fuses, where it has each of them whole; else empty.
std::vector<std::string> axes_counted(const PhysicalAxis& axis, const Layout& layout,
                                      const Computation& c) {
  std::vector<std::string> axes;
  for (const Digit& digit : axis.digits) {
    const auto dim = static_cast<size_t>(digit.dim);
    if (digit.dim < 0 || layout.logical[dim].extent != digit.extent || layout.offsets[dim] != 0)
      return {};
    axes.push_back(c.output.indices[dim].terms()[0].atom.variable);
  }
  return axes;
}

}  // namespace

void set_output_axes(const std::vector<IndexExpr>& physical, const Layout& layout, Stage& stage) {
  stage.fused.clear();
  for (size_t a = 0; a < layout.axes.size(); ++a) {
    std::vector<std::string> axes = axes_counted(layout.axes[a], layout, stage.computation);
    if (axes.size() > 1) stage.fused.push_back({std::move(axes), physical[a]});
  }
  const std::vector<IndexExpr> values = logical_indices(layout, physical, loop_ranges(stage));
  const std::vector<IndexExpr>& axes = stage.computation.output.indices;
  for (size_t j = 0; j < values.size(); ++j)
    stage.axis_values[axes[j].terms()[0].atom.variable] = values[j];
}

Stage with_output_loops(const Stage& stage, const Layout& layout) {
  Stage result = stage;
  result.loops.clear();
  result.output_indices.clear();
  std::vector<IndexExpr> physical;
  for (size_t a = 0; a < layout.axes.size(); ++a) {
    const std::string& name = layout.axes[a].name;
    const IndexExpr loop = IndexExpr::variable(name);
    const int64_t extent =
        stage.attachment ? stage.attachment->extents[a] : layout.axes[a].extent();
    result.loops.push_back({.name = name, .extent = extent});
    result.output_indices.push_back(loop);
    if (stage.attachment)
      physical.push_back(stage.attachment->starts[a] + loop);
    else
      physical.push_back(extent > 1 ? loop : IndexExpr(0));
  }
  for (const StageLoop& loop : stage.loops)
    if (loop.reduction || loop.gathers >= 0) result.loops.push_back(loop);
  std::erase_if(result.bounds, [&](const Bound& bound) {  // bounds on removed loops
    return std::ranges::any_of(stage.loops, [&](const StageLoop& loop) {
      return !loop.reduction && loop.gathers < 0 && bound.expr.mentions(loop.name);
    });
  });
  set_output_axes(physical, layout, result);
  return result;
}

Stage build_stage(std::string name, Computation computation,
                  const std::map<std::string, Layout>& layouts, const ZeroBeyond& zero) {
  Stage stage;
  stage.name = std::move(name);
  stage.role = role_of(computation);
  stage.computation = std::move(computation);
  stage = with_output_loops(stage, layouts.at(stage.computation.output.tensor));
  add_reduction_loops(layouts, zero, stage);
  add_chosen_loops(stage);
  return stage;
}

}  // namespace dovetail
