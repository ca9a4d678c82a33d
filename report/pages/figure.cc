// SPDX-License-Identifier: Apache-2.0
#include "report/pages/figure.h"

#include <algorithm>

namespace dovetail {

Drawing draw(const Chart& chart) {
  return std::visit([](const auto& one) { return draw(one); }, chart);
}

Chart with_width(Chart chart, double width_pixels) {
  std::visit([width_pixels](auto& one) { one.width = width_pixels; }, chart);
  constexpr double kLowest = 170;
  if (auto* lines = std::get_if<LineChart>(&chart))
    lines->height = std::clamp(0.62 * width_pixels, kLowest, std::max(lines->height, kLowest));
  return chart;
}

std::string csv(const Chart& chart) {
  return std::visit([](const auto& one) { return csv(one); }, chart);
}

}  // namespace dovetail
