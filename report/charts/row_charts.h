// SPDX-License-Identifier: Apache-2.0
#pragma once

// BarChart: horizontal bars, one or several per row, beside each other or stacked.
//
//   BarChart chart;
//   chart.axis = "speed-up over the default trace";
//   chart.series = {"best"};
//   chart.rows = {{"gmm:m=512,n=512,k=512", {1.53}, {"1.53×"}}, {"c2d:…", {2.1}, {"2.10×"}}};
//   chart.reference = 1;
//
// Bars begin at zero. Labels stand left of them, in a column as wide as they need (up to two
// fifths of the chart), values at their ends; an absent value is a dash.

#include <optional>
#include <string>
#include <vector>

#include "report/charts/drawing.h"

namespace dovetail {

struct BarRow {
  std::string label = {};
  std::vector<std::optional<double>> values = {};  // one per series
  std::vector<std::string> texts = {};             // beside the bars; if stacked, one for the row
};

struct BarChart {
  std::string axis = {};  // what the numbers are, with unit
  std::vector<std::string> series = {};
  std::vector<BarRow> rows = {};
  bool stacked = false;
  std::optional<double> reference = {};  // a vertical line
  size_t first_colour = 0;
  double width = 960;
};

Drawing draw(const BarChart& chart);

// label,series,value
std::string csv(const BarChart& chart);

// IntervalChart: one value with its interval per row, such as scores of strategies.
//
//   chart.axis = "score (0: random search, 1: optimum)";
//   chart.rows = {{"dovetail", 0.71, 0.66, 0.75}, {"random", 0.01, -0.04, 0.05}};
//
//   dovetail               |--o--|
//   random     |--o--|

struct IntervalRow {
  std::string label = {};
  double value = 0;
  double low = 0;
  double high = 0;
};

struct IntervalChart {
  std::string axis = {};
  std::vector<IntervalRow> rows = {};
  std::optional<double> reference = {};
  double width = 960;
};

Drawing draw(const IntervalChart& chart);
std::string csv(const IntervalChart& chart);  // label,value,low,high

}  // namespace dovetail
