// SPDX-License-Identifier: Apache-2.0
#include "report/charts/interval_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/charts/frame.h"
#include "report/charts/scale.h"
#include "report/pages/markup.h"
#include "report/tables/data_table.h"

namespace dovetail {
namespace {

constexpr double kIntervalFontSize = 11;
constexpr double kRowHeight = 24;
constexpr double kTop = 10;

struct IntervalPlaces {
  double labels = 0;
  double bottom = 0;
  Scale scale;
  PixelRange x;
};

IntervalPlaces layout_of(const IntervalChart& chart) {
  IntervalPlaces layout;
  std::vector<double> values;
  for (const IntervalRow& row : chart.rows) {
    layout.labels = std::max(layout.labels, text_width(row.label, kIntervalFontSize) + 14);
    values.insert(values.end(), {row.value, row.low, row.high});
  }
  if (chart.reference) values.push_back(*chart.reference);
  layout.labels = std::min(layout.labels, chart.width * 0.4);
  layout.scale = make_scale(values);
  layout.x = {layout.labels, chart.width - 150};
  layout.bottom = kTop + kRowHeight * static_cast<double>(chart.rows.size());
  return layout;
}

std::string draw_row(const IntervalRow& row, const IntervalPlaces& layout, size_t index) {
  const double y = kTop + kRowHeight * (static_cast<double>(index) + 0.5);
  const double low = place(layout.scale, row.low, layout.x);
  const double high = place(layout.scale, row.high, layout.x);
  std::string body = draw_text(layout.labels - 8, y + 4,
                               fit_text(row.label, layout.labels - 12, kIntervalFontSize),
                               {.anchor = Anchor::end, .size = kIntervalFontSize});
  body += fmt::format(
      "<g class=\"c0\" stroke=\"currentColor\" stroke-width=\"2\"><path fill=\"none\" "
      "d=\"M{0},{2} L{1},{2} M{0},{3} L{0},{4} M{1},{3} L{1},{4}\"/>"
      "<circle cx=\"{5}\" cy=\"{2}\" r=\"4\" fill=\"currentColor\" stroke=\"none\"/></g>\n",
      pixels(low), pixels(high), pixels(y), pixels(y - 5), pixels(y + 5),
      pixels(place(layout.scale, row.value, layout.x)));
  body += draw_text(layout.x.to + 10, y + 4,
                    fmt::format("{:.3f} [{:.3f}, {:.3f}]", row.value, row.low, row.high),
                    {.classes = "muted", .size = 10.5});
  return body;
}

}  // namespace

Drawing draw(const IntervalChart& chart) {
  const IntervalPlaces layout = layout_of(chart);
  Drawing drawing{.width = chart.width, .height = layout.bottom + 34};
  if (chart.rows.empty()) {
    drawing.body += draw_nothing(chart.width, 26);
    return drawing;
  }
  drawing.body +=
      draw_value_axis(layout.scale, layout.x, kTop, layout.bottom, chart.axis, AxisLine::at_bottom);
  if (chart.reference) {
    const double x = place(layout.scale, *chart.reference, layout.x);
    drawing.body += draw_line(x, kTop, x, layout.bottom, "rule");
  }
  for (size_t i = 0; i < chart.rows.size(); ++i) drawing.body += draw_row(chart.rows[i], layout, i);
  return drawing;
}

std::string csv(const IntervalChart& chart) {
  std::string text = csv_line({"label", "value", "low", "high"});
  for (const IntervalRow& row : chart.rows) {
    text += csv_line({row.label, csv_number(row.value), csv_number(row.low), csv_number(row.high)});
  }
  return text;
}

}  // namespace dovetail
