// SPDX-License-Identifier: Apache-2.0
#include "tests/support/gather_map.h"

namespace dovetail {
namespace {

// Adds to `logical` what physical index `value` of an axis stands for.
void add_axis(const PhysicalAxis& axis, int64_t value, std::vector<int64_t>& logical) {
  for (auto digit = axis.digits.rbegin(); digit != axis.digits.rend(); ++digit) {
    logical[digit->dim] += digit->step * (value % digit->extent);
    value /= digit->extent;
  }
}

int64_t flat_element(const Layout& layout, const std::vector<int64_t>& logical) {
  int64_t flat = 0;
  for (size_t j = 0; j < logical.size(); ++j) {
    if (logical[j] < 0 || logical[j] >= layout.logical[j].extent) return -1;
    flat = flat * layout.logical[j].extent + logical[j];
  }
  return flat;
}

}  // namespace

std::vector<int64_t> gather_map(const Layout& layout) {
  const std::vector<int64_t> extents = physical_extents(layout);
  std::vector<int64_t> map(static_cast<size_t>(storage_elements(layout)));
  std::vector<int64_t> physical(extents.size(), 0);
  for (int64_t& element : map) {
    std::vector<int64_t> logical = layout.offsets;
    for (size_t a = 0; a < physical.size(); ++a) add_axis(layout.axes[a], physical[a], logical);
    element = flat_element(layout, logical);
    for (size_t a = physical.size(); a-- > 0;) {
      if (++physical[a] < extents[a]) break;
      physical[a] = 0;
    }
  }
  return map;
}

}  // namespace dovetail
