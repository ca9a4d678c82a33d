// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/split.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/layout/axis_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Layout> apply(const layout::Split& split, const Layout& layout) {
  const std::string what = print(LayoutPrimitive(split));
  const int index = TRY(require_axis(what, split.axis, layout));
  const PhysicalAxis& axis = layout.axes[index];
  TRY(require_factor(what, "axis " + split.axis, axis.extent(), split.factor));
  PhysicalAxis outer{axis.name + ".0", {}}, inner{axis.name + ".1", {}};
  int64_t left = split.factor;  // of the factor, not yet given to a digit of `inner`
  for (auto digit = axis.digits.rbegin(); digit != axis.digits.rend(); ++digit) {
    const int64_t taken = left % digit->extent == 0 ? digit->extent : left;
    if (digit->extent % taken != 0) {
      return refuse(what, "factor {} breaks the cut chain of fused axis {} at extent {}",
                    split.factor, split.axis, digit->extent);
    }
    if (taken > 1) inner.digits.insert(inner.digits.begin(), Digit{digit->dim, digit->step, taken});
    if (digit->extent > taken) {
      outer.digits.insert(outer.digits.begin(),
                          Digit{digit->dim, digit->step * taken, digit->extent / taken});
    }
    left /= taken;
  }
  // A part of extent 1 keeps a digit, so that every axis says which dimension it belongs to.
  if (outer.digits.empty())
    outer.digits.push_back({axis.digits[0].dim, axis.digits[0].step * axis.digits[0].extent, 1});
  Layout result = layout;
  result.axes[index] = outer;
  result.axes.insert(result.axes.begin() + index + 1, inner);
  return result;
}

}  // namespace dovetail
