// SPDX-License-Identifier: Apache-2.0
#include "report/charts/row_charts.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/charts/drawing.h"
#include "report/charts/scale.h"
#include "report/pages/markup.h"
#include "report/tables/data_table.h"

namespace dovetail {
namespace {

// Makes the column of labels as wide as they need, up to two fifths of the chart.
template <typename Row>
double label_width(const std::vector<Row>& rows, double font_size, double room, double width) {
  double labels = 0;
  for (const Row& row : rows) labels = std::max(labels, text_width(row.label, font_size) + room);
  return std::min(labels, width * 0.4);
}

std::string draw_label(const std::string& label, double end, double y, double most,
                       double font_size) {
  return draw_text(end, y, fit_text(label, most, font_size),
                   {.anchor = Anchor::end, .size = font_size});
}

template <typename Chart>
std::string draw_reference(const Chart& chart, const Scale& scale, const PixelRange& x, double top,
                           double bottom) {
  if (!chart.reference) return {};
  const double at = place(scale, *chart.reference, x);
  return draw_line(at, top, at, bottom, "rule");
}

constexpr double kBarFontSize = 10.5;
constexpr double kTextRoom = 64;  // right of the longest bar

struct BarPlaces {
  double labels = 0;  // width of their column
  double top = 0;
  double bar = 0;  // height of one
  double row = 0;
  Scale scale;
  PixelRange x;
};

double total(const BarRow& row) {
  double sum = 0;
  for (const std::optional<double>& value : row.values) sum += value.value_or(0);
  return sum;
}

std::vector<double> extents(const BarChart& chart) {
  std::vector<double> values;
  for (const BarRow& row : chart.rows) {
    if (chart.stacked) values.push_back(total(row));
    for (const std::optional<double>& value : row.values)
      if (value && !chart.stacked) values.push_back(*value);
  }
  if (chart.reference) values.push_back(*chart.reference);
  return values;
}

BarPlaces layout_of(const BarChart& chart, double top) {
  BarPlaces layout;
  layout.top = top;
  layout.labels = label_width(chart.rows, kBarFontSize, 10, chart.width);
  const size_t bars = chart.stacked ? 1 : std::max<size_t>(chart.series.size(), 1);
  layout.bar = bars == 1 ? 13 : 10;
  layout.row = layout.bar * static_cast<double>(bars) + 5;
  layout.scale = make_scale(extents(chart), {.log = false, .from_zero = true, .margins = false});
  layout.x = {layout.labels, chart.width - kTextRoom};
  return layout;
}

std::string tip_of(const BarChart& chart, const BarRow& row, size_t series) {
  const std::string name = chart.series.size() > 1 ? chart.series[series] + ": " : "";
  return fmt::format("{}: {}{}", row.label, name, tick_text(row.values[series].value_or(0)));
}

std::string draw_stacked(const BarChart& chart, const BarPlaces& layout, const BarRow& row,
                         double y) {
  std::string body;
  double sum = 0;
  for (size_t i = 0; i < row.values.size(); ++i) {
    const double from = place(layout.scale, sum, layout.x);
    sum += row.values[i].value_or(0);
    const double to = place(layout.scale, sum, layout.x);
    if (to - from < 0.05) continue;
    body += draw_box(from, y, to - from, layout.bar, series_class(chart.first_colour + i),
                     tip_of(chart, row, i));
  }
  if (!row.texts.empty()) {
    body += draw_text(place(layout.scale, sum, layout.x) + 5, y + layout.bar - 3, row.texts[0],
                      {.classes = "muted", .size = 10});
  }
  return body;
}

// Where a text may begin so that the reference line does not cross it.
double clear_of_reference(const BarChart& chart, const BarPlaces& layout, double x,
                          std::string_view text) {
  if (!chart.reference) return x;
  const double line = place(layout.scale, *chart.reference, layout.x);
  const bool crossed = x < line + 2 && x + text_width(text, 9.5) > line - 2;
  return crossed ? line + 5 : x;
}

std::string draw_beside(const BarChart& chart, const BarPlaces& layout, const BarRow& row,
                        double y) {
  std::string body;
  for (size_t i = 0; i < row.values.size(); ++i) {
    const double at = y + layout.bar * static_cast<double>(i);
    double end = layout.x.from;
    if (row.values[i]) {
      end = place(layout.scale, *row.values[i], layout.x);
      body += draw_box(layout.x.from, at, end - layout.x.from, layout.bar - 1,
                       series_class(chart.first_colour + i), tip_of(chart, row, i));
    }
    const std::string text = !row.values[i]         ? "–"
                             : i < row.texts.size() ? row.texts[i]
                                                    : tick_text(*row.values[i]);
    body += draw_text(clear_of_reference(chart, layout, end + 5, text), at + layout.bar - 2.5, text,
                      {.classes = "muted", .size = 9.5});
  }
  return body;
}

Drawing legend_of(const BarChart& chart, double top) {
  std::vector<LegendEntry> entries;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    entries.push_back(
        {.name = chart.series[i], .series = chart.first_colour + i, .mark = LegendMark::box});
  }
  if (entries.size() < 2) entries.clear();
  return draw_legend(entries, 8, top, chart.width - 16);
}

constexpr double kIntervalFontSize = 11;
constexpr double kRowHeight = 24;
constexpr double kTop = 10;

struct IntervalPlaces {
  double labels = 0;
  double bottom = 0;
  bool with_numbers = true;  // right of the axis
  Scale scale;
  PixelRange x;
};

IntervalPlaces layout_of(const IntervalChart& chart) {
  IntervalPlaces layout;
  std::vector<double> values;
  for (const IntervalRow& row : chart.rows)
    values.insert(values.end(), {row.value, row.low, row.high});
  if (chart.reference) values.push_back(*chart.reference);
  layout.labels = label_width(chart.rows, kIntervalFontSize, 14, chart.width);
  layout.scale = make_scale(values);
  layout.with_numbers = !is_narrow(chart.width);
  layout.x = {layout.labels, chart.width - (layout.with_numbers ? 150 : 12)};
  layout.bottom = kTop + kRowHeight * static_cast<double>(chart.rows.size());
  return layout;
}

std::string draw_row(const IntervalRow& row, const IntervalPlaces& layout, size_t index) {
  const double y = kTop + kRowHeight * (static_cast<double>(index) + 0.5);
  const double low = place(layout.scale, row.low, layout.x);
  const double high = place(layout.scale, row.high, layout.x);
  std::string body =
      draw_label(row.label, layout.labels - 8, y + 4, layout.labels - 12, kIntervalFontSize);
  body += fmt::format(
      "<g class=\"c0\" stroke=\"currentColor\" stroke-width=\"2\"><path fill=\"none\" "
      "d=\"M{0},{2} L{1},{2} M{0},{3} L{0},{4} M{1},{3} L{1},{4}\"/>"
      "<circle cx=\"{5}\" cy=\"{2}\" r=\"4\" fill=\"currentColor\" stroke=\"none\"/></g>\n",
      pixels(low), pixels(high), pixels(y), pixels(y - 5), pixels(y + 5),
      pixels(place(layout.scale, row.value, layout.x)));
  if (!layout.with_numbers) return body;
  return body + draw_text(layout.x.to + 10, y + 4,
                          fmt::format("{:.3f} [{:.3f}, {:.3f}]", row.value, row.low, row.high),
                          {.classes = "muted", .size = 10.5});
}

}  // namespace

Drawing draw(const BarChart& chart) {
  constexpr double kBarsTop = 4;
  Drawing drawing{.width = chart.width, .height = 60};
  if (chart.rows.empty()) {
    drawing.body += draw_nothing(chart.width, kBarsTop + 30);
    return drawing;
  }
  const Drawing legend = legend_of(chart, kBarsTop);
  drawing.body += legend.body;
  const BarPlaces layout = layout_of(chart, kBarsTop + legend.height + 4);
  const double bottom = layout.top + layout.row * static_cast<double>(chart.rows.size());
  drawing.body +=
      draw_value_axis(layout.scale, layout.x, layout.top, bottom, chart.axis, AxisLine::at_zero);
  for (size_t i = 0; i < chart.rows.size(); ++i) {
    const BarRow& row = chart.rows[i];
    const double y = layout.top + layout.row * static_cast<double>(i) + 2.5;
    drawing.body += draw_label(row.label, layout.labels - 6, y + (layout.row - 5) / 2 + 3.5,
                               layout.labels - 8, kBarFontSize);
    drawing.body +=
        chart.stacked ? draw_stacked(chart, layout, row, y) : draw_beside(chart, layout, row, y);
  }
  drawing.body += draw_reference(chart, layout.scale, layout.x, layout.top, bottom);
  drawing.height = bottom + 34;
  return drawing;
}

std::string csv(const BarChart& chart) {
  std::string text = csv_line({"label", "series", "value"});
  for (const BarRow& row : chart.rows) {
    for (size_t i = 0; i < row.values.size(); ++i) {
      text += csv_line({row.label, i < chart.series.size() ? chart.series[i] : "",
                        row.values[i] ? csv_number(*row.values[i]) : ""});
    }
  }
  return text;
}

Drawing draw(const IntervalChart& chart) {
  const IntervalPlaces layout = layout_of(chart);
  Drawing drawing{.width = chart.width, .height = layout.bottom + 34};
  if (chart.rows.empty()) {
    drawing.body += draw_nothing(chart.width, 26);
    return drawing;
  }
  drawing.body +=
      draw_value_axis(layout.scale, layout.x, kTop, layout.bottom, chart.axis, AxisLine::at_bottom);
  drawing.body += draw_reference(chart, layout.scale, layout.x, kTop, layout.bottom);
  for (size_t i = 0; i < chart.rows.size(); ++i) drawing.body += draw_row(chart.rows[i], layout, i);
  return drawing;
}

std::string csv(const IntervalChart& chart) {
  std::string text = csv_line({"label", "value", "low", "high"});
  for (const IntervalRow& row : chart.rows)
    text += csv_line({row.label, csv_number(row.value), csv_number(row.low), csv_number(row.high)});
  return text;
}

}  // namespace dovetail
