// SPDX-License-Identifier: Apache-2.0
#pragma once

// Drawing: SVG elements and their size, before they are placed on a page or in a file.
//
//   const Drawing drawing = draw(line_chart);
//   inline_svg(drawing, "best so far")    <svg viewBox="0 0 960 320" role="img" ...>...</svg>
//   svg_file(drawing, "best so far")      the same with a style sheet, as a file of its own
//
// Elements name classes, not colours: `c0` to `c9` for series, `ink`, `muted`, `grid`, `paper`, and
// `halo`, which keeps text legible on lines.
// In a page the style sheet colours them, so that they follow dark mode; a file has the light
// colours in it. The first colours are those of M. Okabe and K. Ito, which people with any kind of
// colour blindness tell apart; lines differ in their dashes, too.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/charts/scale.h"

namespace dovetail {

struct Drawing {
  double width = 0;
  double height = 0;
  std::string body = {};
};

struct ChartColours {
  std::string_view ink, muted, grid, paper;
  std::array<std::string_view, 10> series;
};
extern const ChartColours kLightColours;
extern const ChartColours kDarkColours;

// CSS rules of the classes.
std::string chart_style(const ChartColours& colours);

// `label`: the alternative text.
std::string inline_svg(const Drawing& drawing, std::string_view label);
std::string svg_file(const Drawing& drawing, std::string_view label);

// For a column of a paper, or a small multiple: fewer ticks, no numbers beside marks.
inline bool is_narrow(double width) { return width < 500; }

// Pieces of drawings. A coordinate prints with one digit after the point.
std::string pixels(double coordinate);
enum class Anchor { start, middle, end };
struct TextStyle {
  std::string_view classes = "ink";
  Anchor anchor = Anchor::start;
  double size = 11;
};
std::string draw_text(double x, double y, std::string_view text, const TextStyle& style = {});
std::string draw_line(double x1, double y1, double x2, double y2, std::string_view classes,
                      double width = 1, std::string_view dashes = {});
// A rectangle in the colour of a class, with the text that shows when one points at it.
std::string draw_box(double x, double y, double width, double height, std::string_view classes,
                     std::string_view tip = {});

// The class of the colour of a series, "c0" to "c9", and its dashes.
std::string series_class(size_t series);
std::string_view series_dashes(size_t series);

// Charts have these in common: a title, a legend, an axis of values below rows.

// Stands at the top of a chart; the height is 0 without a title.
Drawing draw_title(std::string_view title, double width);
// Stands in the middle of a chart without data.
std::string draw_nothing(double width, double y);

// Grid lines at the ticks from `top` to `bottom`, their numbers and the title below. Bars stand on
// the line at 0, intervals on one along the bottom.
enum class AxisLine { at_zero, at_bottom };
std::string draw_value_axis(const Scale& scale, const PixelRange& x, double top, double bottom,
                            std::string_view title, AxisLine line);

// Names of series beside their marks, in as many rows as the width asks for:
//
//   -- random   - - evolutionary   .. ppo
enum class LegendMark { line, box, dot };

struct LegendEntry {
  std::string name = {};
  size_t series = 0;  // index of its colour and dashes
  LegendMark mark = LegendMark::line;
  bool dashed = true;  // a line with the dashes of its series
};

inline constexpr double kLegendRowHeight = 16;

// The height is 0 without entries. Placed with its upper left corner at `x`, `y`.
Drawing draw_legend(const std::vector<LegendEntry>& entries, double x, double y, double width);

}  // namespace dovetail
