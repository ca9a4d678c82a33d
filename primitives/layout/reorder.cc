// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/reorder.h"

#include <algorithm>

#include "primitives/layout/axis_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Layout> apply(const layout::Reorder& reorder, const Layout& layout) {
  const std::string what = print(LayoutPrimitive(reorder));
  std::vector<int> places;
  for (const std::string& name : reorder.axes) {
    const int index = TRY(require_axis(what, name, layout));
    if (std::find(places.begin(), places.end(), index) != places.end()) {
      return refuse(what, "axis {} is named twice", name);
    }
    places.push_back(index);
  }
  std::vector<int> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  Layout result = layout;
  for (size_t k = 0; k < places.size(); ++k) result.axes[sorted[k]] = layout.axes[places[k]];
  return result;
}

}  // namespace dovetail
