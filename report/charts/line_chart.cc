// SPDX-License-Identifier: Apache-2.0
#include "report/charts/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/charts/drawing.h"
#include "report/charts/scale.h"
#include "report/pages/markup.h"
#include "report/tables/data_table.h"

namespace dovetail {
namespace {

struct Frame {
  Scale x_scale, y_scale;
  PixelRange x, y;  // y.from is the bottom
  double at_x(double value) const { return place(x_scale, value, x); }
  double at_y(double value) const { return place(y_scale, value, y); }
};

template <typename Point>
void append(const std::vector<Point>& points, double Point::* coordinate, std::vector<double>& to) {
  for (const Point& point : points) to.push_back(point.*coordinate);
}

std::vector<double> xs_of(const LineChart& chart) {
  std::vector<double> values;
  for (const Curve& series : chart.series) {
    append(series.points, &CurvePoint::x, values);
    append(series.band, &BandPoint::x, values);
  }
  return values;
}

// The curves' values; where there are none, those of dots.
std::vector<double> ys_of(const LineChart& chart) {
  std::vector<double> values;
  for (const Curve& series : chart.series) {
    if (series.dots) continue;
    append(series.points, &CurvePoint::y, values);
    if (!draws_bands(chart)) continue;
    append(series.band, &BandPoint::low, values);
    append(series.band, &BandPoint::high, values);
  }
  if (values.empty())
    for (const Curve& series : chart.series) append(series.points, &CurvePoint::y, values);
  if (!values.empty()) append(chart.references, &ReferenceLine::y, values);
  return values;
}

std::string draw_axes(const LineChart& chart, const Frame& frame) {
  std::string body;
  const bool small = is_narrow(chart.width);
  for (const double value : ticks(frame.y_scale, small ? 4 : 6)) {
    const double y = frame.at_y(value);
    body += draw_line(frame.x.from, y, frame.x.to, y, "grid");
    body += draw_text(frame.x.from - 5, y + 3.5, tick_text(value),
                      {.classes = "muted", .anchor = Anchor::end, .size = 10});
  }
  for (const double value : ticks(frame.x_scale, small ? 5 : 9)) {
    const double x = frame.at_x(value);
    body += draw_line(x, frame.y.from, x, frame.y.from + 4, "axis");
    body += draw_text(x, frame.y.from + 14, tick_text(value),
                      {.classes = "muted", .anchor = Anchor::middle, .size = 10});
  }
  body += draw_line(frame.x.from, frame.y.from, frame.x.to, frame.y.from, "axis");
  body +=
      draw_text(frame.x.from - 30, frame.y.to - 7, chart.y.title, {.classes = "muted", .size = 10});
  body += draw_text(frame.x.to, frame.y.from + 27, chart.x.title,
                    {.classes = "muted", .anchor = Anchor::end, .size = 10});
  return body;
}

bool drawable(const LineChart& chart, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && (!chart.x.log || x > 0) && (!chart.y.log || y > 0);
}

// The corners of a line; a step has two per point.
template <typename Point>
std::vector<CurvePoint> corners(const LineChart& chart, const std::vector<Point>& points,
                                double Point::* value, bool steps) {
  std::vector<CurvePoint> path;
  for (const Point& point : points) {
    const double y = point.*value;
    if (!drawable(chart, point.x, y)) continue;
    if (steps && !path.empty() && path.back().y != y) path.push_back({point.x, path.back().y});
    path.push_back({point.x, y});
  }
  return path;
}

std::string path_text(const Frame& frame, const std::vector<CurvePoint>& path) {
  std::string text;
  for (const CurvePoint& point : path) {
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", pixels(frame.at_x(point.x)),
                        pixels(frame.at_y(point.y)));
  }
  return text;
}

std::string draw_band(const LineChart& chart, const Frame& frame, const Curve& series) {
  if (series.band.size() < 2) return {};
  auto outline = corners(chart, series.band, &BandPoint::low, series.steps);
  const auto upper = corners(chart, series.band, &BandPoint::high, series.steps);
  outline.insert(outline.end(), upper.rbegin(), upper.rend());
  return fmt::format(
      "<polygon points=\"{}\" class=\"{}\" fill=\"currentColor\" fill-opacity=\"0.18\"/>\n",
      path_text(frame, outline), series_class(series.colour));
}

std::string draw_dots(const LineChart& chart, const Frame& frame, const Curve& series) {
  std::string body = fmt::format("<g class=\"{}\" fill=\"currentColor\" fill-opacity=\"0.45\">\n",
                                 series_class(series.colour));
  for (size_t i = 0; i < series.points.size(); ++i) {
    const CurvePoint& point = series.points[i];
    const bool inside = point.y >= frame.y_scale.low && point.y <= frame.y_scale.high;
    if (!inside || !drawable(chart, point.x, point.y)) continue;
    const std::string place = fmt::format("cx=\"{}\" cy=\"{}\" r=\"2\"",
                                          pixels(frame.at_x(point.x)), pixels(frame.at_y(point.y)));
    body += series.tips.empty() ? fmt::format("<circle {}/>\n", place)
                                : fmt::format("<circle {}><title>{}</title></circle>\n", place,
                                              escape_markup(series.tips[i]));
  }
  return body + "</g>\n";
}

std::string draw_series(const LineChart& chart, const Frame& frame, const Curve& series) {
  if (series.dots) return draw_dots(chart, frame, series);
  const auto path = corners(chart, series.points, &CurvePoint::y, series.steps);
  if (path.empty()) return {};
  const std::string_view dashes = series.solid ? "" : series_dashes(series.colour);
  std::string body = fmt::format(
      "<polyline points=\"{}\" class=\"{}\" fill=\"none\" stroke=\"currentColor\" "
      "stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-dasharray=\"{}\">"
      "<title>{}</title></polyline>\n",
      path_text(frame, path), series_class(series.colour), dashes, escape_markup(series.name));
  if (path.size() == 1) {  // a line of one point is invisible
    body += fmt::format(
        "<circle cx=\"{}\" cy=\"{}\" r=\"3\" class=\"{}\" fill=\"currentColor\"/>\n",
        pixels(frame.at_x(path[0].x)), pixels(frame.at_y(path[0].y)), series_class(series.colour));
  }
  return body;
}

std::string draw_reference(const Frame& frame, const ReferenceLine& line) {
  const double y = frame.at_y(line.y);
  return draw_line(frame.x.from, y, frame.x.to, y, "axis", 1, "4 3");
}

std::string name_reference(const Frame& frame, const ReferenceLine& line) {
  const double y = frame.at_y(line.y);
  const bool near_top = y - frame.y.to < 14;
  return draw_text(line.named_left ? frame.x.from + 4 : frame.x.to, near_top ? y + 11 : y - 4,
                   line.name,
                   {.classes = "muted halo",
                    .anchor = line.named_left ? Anchor::start : Anchor::end,
                    .size = 10});
}

Drawing legend_of(const LineChart& chart, double top) {
  std::vector<LegendEntry> entries;
  for (const Curve& series : chart.series) {
    entries.push_back({.name = series.name,
                       .series = series.colour,
                       .mark = series.dots ? LegendMark::dot : LegendMark::line,
                       .dashed = !series.solid});
  }
  if (!chart.legend || entries.size() < 2) entries.clear();
  return draw_legend(entries, 8, top, chart.width - 16);
}

}  // namespace

bool draws_bands(const LineChart& chart) {
  constexpr ptrdiff_t kMost = 4;
  return std::ranges::count_if(chart.series, [](const Curve& one) { return !one.band.empty(); }) <=
         kMost;
}

Drawing draw(const LineChart& chart) {
  Drawing drawing = draw_title(chart.title, chart.width);
  const double top = 4 + drawing.height;
  drawing.height = chart.height;
  const std::vector<double> xs = xs_of(chart);
  if (xs.empty()) {
    drawing.body += draw_nothing(chart.width, chart.height / 2 + 4);
    return drawing;
  }
  const Drawing legend = legend_of(chart, top);
  drawing.body += legend.body;
  drawing.height += legend.height;  // a long legend takes nothing from the curves
  const Frame frame{
      .x_scale = make_scale(xs, {chart.x.log, chart.x.from_zero, false}),
      .y_scale = make_scale(ys_of(chart), {chart.y.log, chart.y.from_zero, true}),
      .x = {44, chart.width - 12},
      .y = {drawing.height - 32, top + legend.height + 18},
  };
  drawing.body += draw_axes(chart, frame);
  if (draws_bands(chart))
    for (const Curve& series : chart.series) drawing.body += draw_band(chart, frame, series);
  for (const ReferenceLine& line : chart.references) drawing.body += draw_reference(frame, line);
  for (const Curve& series : chart.series) drawing.body += draw_series(chart, frame, series);
  for (const ReferenceLine& line : chart.references) drawing.body += name_reference(frame, line);
  return drawing;
}

std::string csv(const LineChart& chart) {
  std::string text = csv_line({"series", "x", "y", "low", "high"});
  for (const Curve& series : chart.series) {
    for (const CurvePoint& point : series.points)
      text += csv_line({series.name, csv_number(point.x), csv_number(point.y), "", ""});
    for (const BandPoint& point : series.band) {
      text += csv_line(
          {series.name, csv_number(point.x), "", csv_number(point.low), csv_number(point.high)});
    }
  }
  for (const ReferenceLine& line : chart.references)
    text += csv_line({line.name, "", csv_number(line.y), "", ""});
  return text;
}

}  // namespace dovetail
