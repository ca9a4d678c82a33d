// SPDX-License-Identifier: Apache-2.0
#include "report/pages/figure.h"

#include <algorithm>

#include "core/record/line/fields.h"

namespace dovetail {
namespace {

void write_plot(JsonWriter& plot, const LineChart& chart) {
  std::vector<std::string> steps;
  std::vector<std::string> dots;
  for (const Curve& series : chart.series) {
    if (series.steps) steps.push_back(series.name);
    if (series.dots) dots.push_back(series.name);
  }
  plot.text("kind", "lines");
  plot.text("x", chart.x.title);
  plot.text("y", chart.y.title);
  plot.boolean("log_x", chart.x.log);
  plot.boolean("log_y", chart.y.log);
  plot.boolean("bands", draws_bands(chart));
  plot.raw("steps", json_of(steps));
  plot.raw("dots", json_of(dots));
}

template <typename Chart>
void write_rows(JsonWriter& plot, const char* kind, const Chart& chart) {
  plot.text("kind", kind);
  plot.text("x", chart.axis);
  if (chart.reference) plot.real("reference", *chart.reference);
}

void write_plot(JsonWriter& plot, const BarChart& chart) {
  write_rows(plot, chart.stacked ? "stacked" : "bars", chart);
}

void write_plot(JsonWriter& plot, const IntervalChart& chart) {
  write_rows(plot, "intervals", chart);
}

// redraw.py draws it as bars, for which a column of a paper has room.
void write_plot(JsonWriter& plot, const NetworkChart&) {
  plot.text("kind", "stacked");
  plot.text("x", "time (s)");
}

void write_plot(JsonWriter& plot, const RankDiagram& diagram) {
  plot.text("kind", "ranks");
  std::vector<std::string> tied;  // pairs as "first last"
  for (const auto& [first, last] : diagram.tied)
    tied.push_back(std::to_string(first) + " " + std::to_string(last));
  plot.raw("tied", json_of(tied));
}

}  // namespace

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

std::string plot_of(const Figure& figure) {
  JsonWriter plot;
  plot.text("name", figure.name);
  plot.text("title", figure.title);
  if (!figure.caption.empty()) plot.text("caption", figure.caption);
  std::visit([&plot](const auto& chart) { write_plot(plot, chart); }, figure.chart);
  return std::move(plot).finish();
}

}  // namespace dovetail
