// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/product_traits.h"

#include "primitives/space/moved_bytes.h"

namespace dovetail {

ProductTraits::ProductTraits(const Structure& structure, const Target& on)
    : s(structure), target(on) {
  for (auto axis = s.tiled.rbegin(); axis != s.tiled.rend(); ++axis)
    if (*axis != s.vector_axis && rows.size() < 3) rows.push_back(*axis);
}

bool ProductTraits::shares_vectors() const {
  return !s.vector_axis.empty() && s.axis(s.vector_axis).kind == AxisClass::shared;
}

bool ProductTraits::pairs_share_values() const { return s.pairs && spreads_while_loading(target); }

int64_t ProductTraits::weight_bytes() const {
  return s.inputs().size() < 2 ? 0 : bytes_of(s, s.inputs()[1].tensor);
}

double ProductTraits::panel_bytes(int64_t vectors) const {
  return terms_of(s) * 4 * static_cast<double>(vectors * s.lanes);
}

bool ProductTraits::x_is_large() const {
  return leaves_caches(bytes_of(s, s.inputs()[0].tensor), target);
}

bool ProductTraits::w_is_small() const { return weight_bytes() <= target.l2_bytes / 2; }

bool ProductTraits::is_stream() const {
  if (!on_threads() || s.inputs().size() < 2) return false;
  const bool reduces_channels = !s.pure.empty() && !s.vector_axis.empty() && !shares_vectors();
  return reduces_channels && s.phased.empty() && s.windows.empty() && x_is_large() && w_is_small();
}

}  // namespace dovetail
