// SPDX-License-Identifier: Apache-2.0
#pragma once

// Resize's sizes if its keep_aspect_ratio_policy is not "stretch": one scale for all of the axes,
// so that none becomes larger (or smaller) than its given size.
//
//   not_larger, sizes [7,8] of [2,4]: scale 2      gives [4,8]

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dovetail {

// nullopt: each axis has its given size.
inline std::optional<float> kept_scale(std::string_view policy, const std::vector<int64_t>& sizes,
                                       const std::vector<int64_t>& extents,
                                       const std::vector<size_t>& axes) {
  const bool least = policy == "not_larger";
  if ((!least && policy != "not_smaller") || axes.empty()) return std::nullopt;
  std::optional<float> scale;
  for (size_t i = 0; i < axes.size(); ++i) {
    const float own = static_cast<float>(sizes[i]) / static_cast<float>(extents[axes[i]]);
    scale = !scale ? own : least ? std::min(*scale, own) : std::max(*scale, own);
  }
  return scale;
}

inline int64_t scaled_extent(int64_t extent, float scale) {
  return static_cast<int64_t>(std::round(static_cast<float>(extent) * scale));
}

}  // namespace dovetail
