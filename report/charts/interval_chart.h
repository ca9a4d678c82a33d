// SPDX-License-Identifier: Apache-2.0
#pragma once

// IntervalChart: a value and its interval a row, such as scores of strategies.
//
//   chart.axis = "score (0: random search, 1: optimum)";
//   chart.rows = {{"dovetail", 0.71, 0.66, 0.75}, {"random", 0.01, -0.04, 0.05}};
//
//   dovetail               |--o--|
//   random     |--o--|

#include <optional>
#include <string>
#include <vector>

#include "report/charts/drawing.h"

namespace dovetail {

struct IntervalRow {
  std::string label = {};
  double value = 0;
  double low = 0;
  double high = 0;
};

struct IntervalChart {
  std::string title = {};
  std::string axis = {};
  std::vector<IntervalRow> rows = {};
  std::optional<double> reference = {};
  double width = 960;
};

Drawing draw(const IntervalChart& chart);
std::string csv(const IntervalChart& chart);  // label,value,low,high

}  // namespace dovetail
