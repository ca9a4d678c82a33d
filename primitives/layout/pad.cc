// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/pad.h"

#include "primitives/layout/axis_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Layout> apply(const layout::Pad& pad, const Layout& layout) {
  constexpr int64_t kMaxPad = int64_t{1} << 31;
  const std::string what = print(LayoutPrimitive(pad));
  const int index = TRY(require_outermost_axis(what, pad.axis, layout));
  if (pad.before < 0 || pad.after < 0 || pad.before > kMaxPad || pad.after > kMaxPad ||
      pad.before + pad.after == 0) {
    return refuse(what, "expected before and after from 0 to 2^31, not both 0");
  }
  Layout result = layout;
  Digit& digit = result.axes[index].digits[0];
  result.offsets[digit.dim] -= pad.before * digit.step;
  digit.extent += pad.before + pad.after;
  return require_storable(what, std::move(result));
}

}  // namespace dovetail
