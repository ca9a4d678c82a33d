// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/axis_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<int> require_axis(const std::string& primitive, const std::string& axis,
                         const Layout& layout) {
  const int index = find_axis(layout, axis);
  if (index >= 0) return index;
  std::string known;
  for (const PhysicalAxis& a : layout.axes) known += (known.empty() ? "" : ", ") + a.name;
  return refuse(primitive, "no axis {}, expected one of {}", axis, known);
}

Result<int> require_outermost_axis(const std::string& primitive, const std::string& axis,
                                   const Layout& layout) {
  const int index = TRY(require_axis(primitive, axis, layout));
  const std::vector<Digit>& digits = layout.axes[index].digits;
  if (digits.size() != 1) return refuse(primitive, "axis {} is fused; do this before fuse", axis);
  for (const DigitPlace& place : digits_of_dim(layout, digits[0].dim)) {
    if (place.axis != index && (place.digit.step > digits[0].step ||
                                (place.digit.step == digits[0].step && place.digit.extent > 1))) {
      return refuse(primitive,
                    "axis {} is an inner part of dimension {}; do this before split or unfold",
                    axis, layout.logical[digits[0].dim].name);
    }
  }
  return index;
}

Result<Layout> require_storable(const std::string& primitive, Layout layout) {
  constexpr int64_t kMaxElements = int64_t{1} << 40;
  int64_t elements = 1;
  for (const PhysicalAxis& axis : layout.axes) {
    if (axis.extent() > kMaxElements / elements) {
      return refuse(primitive, "storage exceeds 2^40 elements");
    }
    elements *= axis.extent();
  }
  return layout;
}

std::string fused_name(const std::string& outer, const std::string& inner) {
  if (outer.size() > 2 && outer.ends_with(".0") &&
      inner == outer.substr(0, outer.size() - 1) + "1") {
    return outer.substr(0, outer.size() - 2);
  }
  return outer + "_" + inner;
}

}  // namespace dovetail
