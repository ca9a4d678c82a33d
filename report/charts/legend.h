// SPDX-License-Identifier: Apache-2.0
#pragma once

// Legend: names of series beside their marks, in as many rows as the width asks for.
//
//   -- random   - - evolutionary   .. ppo

#include <string>
#include <vector>

#include "report/charts/drawing.h"

namespace dovetail {

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
