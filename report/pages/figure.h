// SPDX-License-Identifier: Apache-2.0
#pragma once

// Figure: a named chart, which a page shows and `--figures` writes as files.
//
//   const Figure figure{.name = "time", .title = "Where time went", .chart = bar_chart};
//   draw(figure.chart)    Drawing
//   csv(figure.chart)     what it is drawn from

#include <string>
#include <variant>

#include "report/charts/line_chart.h"
#include "report/charts/network_chart.h"
#include "report/charts/rank_diagram.h"
#include "report/charts/row_charts.h"

namespace dovetail {

using Chart = std::variant<LineChart, BarChart, IntervalChart, RankDiagram, NetworkChart>;

struct Figure {
  std::string name = {};   // file name without extension
  std::string title = {};  // one line; also the alternative text
  Chart chart = {};
  std::string caption = {};  // how to read it
};

Drawing draw(const Chart& chart);
// The chart at another width; its text keeps its size.
Chart with_width(Chart chart, double width_pixels);
std::string csv(const Chart& chart);

}  // namespace dovetail
