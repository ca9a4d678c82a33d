// SPDX-License-Identifier: Apache-2.0
#pragma once

// What charts have in common: a title, a legend, an axis of values below rows.

#include <string>
#include <string_view>
#include <vector>

#include "report/charts/drawing.h"
#include "report/charts/scale.h"

namespace dovetail {

// Stands at the top of a chart; the height is 0 without a title.
Drawing draw_title(std::string_view title, double width);
// Stands in the middle of a chart without data.
std::string draw_nothing(double width, double y);

// Grid lines at the ticks from `top` to `bottom`, their numbers and the title below. Bars stand on
// the line at 0, intervals on one along the bottom.
enum class AxisLine { at_zero, at_bottom };
std::string draw_value_axis(const Scale& scale, const PixelRange& x, double top, double bottom,
                            std::string_view title, AxisLine line);

// Names of series beside their marks, in as many rows as the width asks for:
//
//   -- random   - - evolutionary   .. ppo
enum class LegendMark { line, box };

struct LegendEntry {
  std::string name = {};
  size_t series = 0;  // whose colour and dashes
  LegendMark mark = LegendMark::line;
  bool dashed = true;  // a line with the dashes of its series
};

inline constexpr double kLegendRowHeight = 16;

// The height is 0 without entries. Placed with its upper left corner at `x`, `y`.
Drawing draw_legend(const std::vector<LegendEntry>& entries, double x, double y, double width);

}  // namespace dovetail
