// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/output_loops.h"

namespace dovetail {

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

void set_output_axes(const std::vector<IndexExpr>& physical, const Layout& layout, Stage& stage) {
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
    if (stage.attachment) {
      physical.push_back(stage.attachment->starts[a] + loop);
    } else {
      physical.push_back(extent > 1 ? loop : IndexExpr(0));
    }
  }
  for (const StageLoop& loop : stage.loops) {
    if (loop.reduction || loop.chosen >= 0) result.loops.push_back(loop);
  }
  set_output_axes(physical, layout, result);
  return result;
}

}  // namespace dovetail
