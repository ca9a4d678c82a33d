// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/unfold.h"

#include "primitives/layout/axis_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Layout> apply(const layout::Unfold& unfold, const Layout& layout) {
  const std::string what = print(LayoutPrimitive(unfold));
  const int index = TRY(require_outermost_axis(what, unfold.axis, layout));
  const PhysicalAxis& axis = layout.axes[index];
  const Digit digit = axis.digits[0];
  if (unfold.size < 1 || unfold.stride < 1)
    return refuse(what, "expected size and stride of at least 1");
  if (unfold.stride > unfold.size) {
    return refuse(what, "stride {} exceeds size {} and would lose data", unfold.stride,
                  unfold.size);
  }
  if (unfold.size > digit.extent) {
    return refuse(what, "size {} exceeds extent {} of axis {}", unfold.size, digit.extent,
                  unfold.axis);
  }
  const int64_t tiles = (digit.extent - unfold.size + unfold.stride - 1) / unfold.stride + 1;
  Layout result = layout;
  result.axes[index] = {axis.name + ".0", {Digit{digit.dim, digit.step * unfold.stride, tiles}}};
  result.axes.insert(result.axes.begin() + index + 1,
                     {axis.name + ".1", {Digit{digit.dim, digit.step, unfold.size}}});
  return require_storable(what, std::move(result));
}

}  // namespace dovetail
