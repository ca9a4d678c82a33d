// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/layout_indices.h"

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

std::vector<IndexExpr> physical_indices(const Layout& layout, const std::vector<IndexExpr>& logical,
                                        const Ranges& ranges) {
  std::vector<IndexExpr> physical;
  for (const PhysicalAxis& axis : layout.axes) {
    IndexExpr index;
    for (const Digit& digit : axis.digits) {
      const auto dim = static_cast<size_t>(digit.dim);
      const IndexExpr element = logical[dim] - IndexExpr(layout.offsets[dim]);
      const IndexExpr value =
          floor_mod(floor_div(element, digit.step, ranges), digit.extent, ranges);
      index = index * digit.extent + value;
    }
    physical.push_back(index);
  }
  return physical;
}

}  // namespace dovetail
