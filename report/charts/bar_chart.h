// SPDX-License-Identifier: Apache-2.0
#pragma once

// BarChart: horizontal bars, one or several a row, beside each other or stacked.
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
  std::vector<std::optional<double>> values = {};  // one a series
  std::vector<std::string> texts = {};  // beside the bars; of stacked ones, one for the row
};

struct BarChart {
  std::string title = {};
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

}  // namespace dovetail
