// SPDX-License-Identifier: Apache-2.0
#include "report/charts/drawing.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/printable.h"
#include "report/pages/markup.h"

namespace dovetail {
namespace {

constexpr std::string_view kFonts =
    "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif";

constexpr std::string_view kAnchors[] = {"start", "middle", "end"};

std::string title_of(std::string_view tip) {
  return tip.empty() ? std::string() : fmt::format("<title>{}</title>", escape_markup(tip));
}

constexpr double kEntryFontSize = 11;
constexpr double kMarkWidth = 22;
constexpr double kGap = 16;

std::string draw_mark(const LegendEntry& entry, double x, double y) {
  const std::string colour = series_class(entry.series);
  if (entry.mark == LegendMark::box) return draw_box(x + 6, y - 5, 10, 10, colour);
  if (entry.mark == LegendMark::dot) {
    return fmt::format(
        "<circle cx=\"{}\" cy=\"{}\" r=\"2.5\" class=\"{}\" fill=\"currentColor\"/>\n",
        pixels(x + 11), pixels(y), colour);
  }
  return fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\" stroke=\"currentColor\" "
      "stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
      pixels(x), pixels(y), pixels(x + 18), pixels(y), colour,
      entry.dashed ? series_dashes(entry.series) : "");
}

}  // namespace

const ChartColours kLightColours = {
    .ink = "#1a1a1a",
    .muted = "#5c5c5c",
    .grid = "#e3e3e3",
    .paper = "#ffffff",
    .series = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b4c9a",
               "#7f7f7f", "#8b4513", "#7f8f00"},
};
const ChartColours kDarkColours = {
    .ink = "#e8e8e8",
    .muted = "#a8a8a8",
    .grid = "#3a3d42",
    .paper = "#1b1d21",
    .series = {"#4fa8e0", "#f08a4b", "#3cc79c", "#e0a3c6", "#f0b840", "#8ccdf2", "#a98fd6",
               "#a0a0a0", "#c98d5f", "#c2cf4a"},
};

std::string chart_style(const ChartColours& colours) {
  std::string style = fmt::format(
      ".ink{{fill:{0}}} .muted{{fill:{1}}} .paper{{fill:{3}}} .grid{{stroke:{2}}} "
      ".axis{{stroke:{1}}} .rule{{stroke:{0}}} "
      ".halo{{stroke:{3};stroke-width:3px;paint-order:stroke}}",
      colours.ink, colours.muted, colours.grid, colours.paper);
  for (size_t i = 0; i < colours.series.size(); ++i)
    style += fmt::format(" .c{}{{color:{}}}", i, colours.series[i]);
  return style;
}

std::string inline_svg(const Drawing& drawing, std::string_view label) {
  return fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\" "
      "style=\"max-width:{0}px\">\n{3}</svg>\n",
      pixels(drawing.width), pixels(drawing.height), escape_markup(label), drawing.body);
}

std::string svg_file(const Drawing& drawing, std::string_view label) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n<title>{2}</title>\n<style>svg{{font-family:{3}}} {4}</style>\n"
      "{5}</svg>\n",
      pixels(drawing.width), pixels(drawing.height), escape_markup(label), kFonts,
      chart_style(kLightColours), drawing.body);
}

std::string pixels(double coordinate) {
  const double rounded = std::round(coordinate * 10) / 10;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);  // no negative zero
}

std::string draw_text(double x, double y, std::string_view text, const TextStyle& style) {
  return fmt::format(
      "<text x=\"{}\" y=\"{}\" class=\"{}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n",
      pixels(x), pixels(y), style.classes, kAnchors[static_cast<size_t>(style.anchor)],
      pixels(style.size), escape_markup(printable(text)));
}

std::string draw_line(double x1, double y1, double x2, double y2, std::string_view classes,
                      double width, std::string_view dashes) {
  return fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\" stroke-width=\"{}\"{}/>\n",
      pixels(x1), pixels(y1), pixels(x2), pixels(y2), classes, pixels(width),
      dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

std::string draw_box(double x, double y, double width, double height, std::string_view classes,
                     std::string_view tip) {
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\" "
      "fill=\"currentColor\">{}</rect>\n",
      pixels(x), pixels(y), pixels(std::max(width, 0.0)), pixels(std::max(height, 0.0)), classes,
      title_of(tip));
}

std::string series_class(size_t series) { return fmt::format("c{}", series % 10); }

std::string_view series_dashes(size_t series) {
  constexpr std::string_view kDashes[] = {"",    "7 3",     "2 2",  "9 3 2 3",
                                          "5 2", "3 2 1 2", "12 3", "4 4"};
  return kDashes[(series + 3 * (series / 10)) % 8];  // colours repeat, pairs do not
}

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
  for (const double value : ticks(scale, is_narrow(x.to - x.from) ? 5 : 8)) {
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
