// SPDX-License-Identifier: Apache-2.0
#pragma once

// LineChart: curves over a number, with bands around them, dots beside them.
//
//   LineChart chart;
//   chart.x = {.title = "trials", .log = true};
//   chart.y = {.title = "best time (µs)"};
//   chart.series = {{.name = "random", .points = {{1, 40}, {17, 31}, {300, 31}}, .steps = true}};
//   Drawing drawing = draw(chart);
//
// The title of the y axis stands above it and that of the x axis below its end, so that all text is
// upright. A step curve keeps its value until the next point. A chart without any point says so.
//
// The y axis covers the curves: dots beyond it are left out, so that a slow trial does not squeeze
// the curves. The bands of many curves hide each other, so beyond four they are only in the CSV.

#include <string>
#include <vector>

#include "report/charts/drawing.h"

namespace dovetail {

struct ChartAxis {
  std::string title = {};
  bool log = false;
  bool from_zero = false;
};

struct CurvePoint {
  double x = 0;
  double y = 0;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

struct BandPoint {
  double x = 0;
  double low = 0;
  double high = 0;
  friend bool operator==(const BandPoint&, const BandPoint&) = default;
};

struct Curve {
  std::string name = {};
  std::vector<CurvePoint> points = {};  // x ascends, unless they are dots
  std::vector<BandPoint> band = {};
  bool steps = false;
  bool dots = false;  // points that no line joins
  size_t colour = 0;  // 0 to 9, with dashes of its own
  bool solid = false;
  std::vector<std::string> tips = {};  // tooltips of the dots; empty: none
};

// A dashed horizontal line with its name.
struct ReferenceLine {
  double y = 0;
  std::string name = {};
  bool named_left = false;  // else at the right end
};

struct LineChart {
  std::string title = {};  // drawn above; empty: none
  ChartAxis x = {};
  ChartAxis y = {};
  std::vector<Curve> series = {};
  std::vector<ReferenceLine> references = {};
  double width = 960;
  double height = 300;
  bool legend = true;  // drawn when there are two series or more
};

Drawing draw(const LineChart& chart);
bool draws_bands(const LineChart& chart);  // false: there are too many

// series,x,y,low,high: the data of a chart; an empty cell is an absent value.
std::string csv(const LineChart& chart);

}  // namespace dovetail
