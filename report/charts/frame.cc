// SPDX-License-Identifier: Apache-2.0
#include "report/charts/frame.h"

#include <fmt/format.h>

#include "report/pages/markup.h"

namespace dovetail {
namespace {

constexpr double kEntryFontSize = 11;
constexpr double kMarkWidth = 22;
constexpr double kGap = 16;

std::string draw_mark(const LegendEntry& entry, double x, double y) {
  const std::string colour = series_class(entry.series);
  if (entry.mark == LegendMark::box) return draw_box(x + 6, y - 5, 10, 10, colour);
  return fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\" stroke=\"currentColor\" "
      "stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
      pixels(x), pixels(y), pixels(x + 18), pixels(y), colour,
      entry.dashed ? series_dashes(entry.series) : "");
}

}  // namespace

Drawing draw_title(std::string_view title, double width) {
  if (title.empty()) return {.width = width};
  return {.width = width,
          .height = 18,
          .body = draw_text(8, 15, fit_text(title, width - 16, 11.5),
                            {.classes = "ink title", .size = 11.5})};
}

std::string draw_nothing(double width, double y) {
  return draw_text(width / 2, y, "nothing to show yet",
                   {.classes = "muted", .anchor = Anchor::middle});
}

std::string draw_value_axis(const Scale& scale, const PixelRange& x, double top, double bottom,
                            std::string_view title, AxisLine line) {
  std::string body;
  for (const double value : ticks(scale, 8)) {
    const double at = place(scale, value, x);
    const bool is_axis = line == AxisLine::at_zero && value == 0;
    body += draw_line(at, top, at, bottom, is_axis ? "axis" : "grid");
    body += draw_text(at, bottom + 13, tick_text(value),
                      {.classes = "muted", .anchor = Anchor::middle, .size = 10});
  }
  if (line == AxisLine::at_bottom) body += draw_line(x.from, bottom, x.to, bottom, "axis");
  return body + draw_text(x.to, bottom + 27, title,
                          {.classes = "muted", .anchor = Anchor::end, .size = 10});
}

Drawing draw_legend(const std::vector<LegendEntry>& entries, double x, double y, double width) {
  Drawing legend{.width = width};
  if (entries.empty()) return legend;
  double at_x = x;
  double at_y = y + kLegendRowHeight / 2;
  for (const LegendEntry& entry : entries) {
    const std::string name = fit_text(entry.name, width - kMarkWidth, kEntryFontSize);
    const double entry_width = kMarkWidth + text_width(name, kEntryFontSize) + kGap;
    if (at_x > x && at_x + entry_width - kGap > x + width) {
      at_x = x;
      at_y += kLegendRowHeight;
    }
    legend.body += draw_mark(entry, at_x, at_y);
    legend.body += draw_text(at_x + kMarkWidth, at_y + 4, name, {.size = kEntryFontSize});
    at_x += entry_width;
  }
  legend.height = at_y + kLegendRowHeight / 2 - y;
  return legend;
}

}  // namespace dovetail
