// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/fuse.h"

#include "primitives/layout/axis_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

// Digits in order, neighbours that count one dimension without a gap merged, digits of extent 1
// dropped.
std::vector<Digit> joined(const std::vector<Digit>& outer, const std::vector<Digit>& inner) {
  std::vector<Digit> result;
  for (const std::vector<Digit>* part : {&outer, &inner}) {
    for (const Digit& digit : *part) {
      if (digit.extent == 1) continue;
      if (!result.empty() && result.back().dim == digit.dim &&
          result.back().step == digit.step * digit.extent) {
        result.back() = {digit.dim, digit.step, result.back().extent * digit.extent};
      } else {
        result.push_back(digit);
      }
    }
  }
  if (result.empty()) result.push_back(inner.back());
  return result;
}

}  // namespace

Result<Layout> apply(const layout::Fuse& fuse, const Layout& layout) {
  const std::string what = print(LayoutPrimitive(fuse));
  const int outer = TRY(require_axis(what, fuse.outer, layout));
  const int inner = TRY(require_axis(what, fuse.inner, layout));
  if (inner != outer + 1) {
    return refuse(what, "axis {} does not directly follow axis {}; reorder first", fuse.inner,
                  fuse.outer);
  }
  Layout result = layout;
  result.axes[outer] = {fused_name(fuse.outer, fuse.inner),
                        joined(layout.axes[outer].digits, layout.axes[inner].digits)};
  result.axes.erase(result.axes.begin() + inner);
  return result;
}

}  // namespace dovetail
