// SPDX-License-Identifier: Apache-2.0
#include "report/charts/rank_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/charts/scale.h"
#include "report/pages/markup.h"
#include "report/tables/data_table.h"

namespace dovetail {
namespace {

constexpr double kAxis = 58;
constexpr double kRankRowHeight = 20;
constexpr double kRankFontSize = 11;

// The room for names on either side.
double label_width(const RankDiagram& diagram) {
  return is_narrow(diagram.width) ? 0.34 * diagram.width : 190;
}

std::vector<size_t> by_rank(const RankDiagram& diagram) {
  std::vector<size_t> order(diagram.names.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return diagram.average_ranks[a] < diagram.average_ranks[b];
  });
  return order;
}

std::string draw_axis(const RankDiagram& diagram, const Scale& scale, const PixelRange& x) {
  std::string body = draw_line(x.from, kAxis, x.to, kAxis, "rule");
  for (int rank = 1; rank <= static_cast<int>(diagram.names.size()); ++rank) {
    const double at = place(scale, rank, x);
    body += draw_line(at, kAxis - 5, at, kAxis, "rule");
    body += draw_text(at, kAxis - 9, std::to_string(rank), {.anchor = Anchor::middle});
  }
  const double end = place(scale, 1 + diagram.critical_difference, x);
  for (const double at : {x.from, end}) body += draw_line(at, 20, at, 28, "rule");
  body += draw_line(x.from, 24, end, 24, "rule", 2);
  body +=
      draw_text(x.from, 14, fmt::format("critical difference {:.2f}", diagram.critical_difference),
                {.classes = "muted", .size = 10.5});
  return body;
}

// The better half is named on the left, the others on the right, so that lines do not cross.
std::string draw_name(const RankDiagram& diagram, size_t method, size_t place_in_order, double at,
                      double tied_height) {
  const size_t count = diagram.names.size();
  const bool left = place_in_order < (count + 1) / 2;
  const size_t row = left ? place_in_order : count - 1 - place_in_order;
  const double y = kAxis + 14 + tied_height + kRankRowHeight * static_cast<double>(row);
  const double labels = label_width(diagram);
  const double side = left ? labels - 12 : diagram.width - labels + 12;
  const bool narrow = is_narrow(diagram.width);
  const std::string name =
      fit_text(diagram.names[method], labels - (narrow ? 18 : 56), kRankFontSize);
  const double rank = diagram.average_ranks[method];
  const std::string text = narrow ? name
                           : left ? fmt::format("{}  {:.2f}", name, rank)
                                  : fmt::format("{:.2f}  {}", rank, name);
  return draw_line(at, kAxis, at, y, "axis") + draw_line(at, y, side, y, "axis") +
         draw_text(left ? side - 5 : side + 5, y + 4, text,
                   {.anchor = left ? Anchor::end : Anchor::start, .size = kRankFontSize});
}

}  // namespace

Drawing draw(const RankDiagram& diagram) {
  const std::vector<size_t> order = by_rank(diagram);
  const size_t count = order.size();
  const double tied_height = 7 * static_cast<double>(diagram.tied.size());
  Drawing drawing{.width = diagram.width};
  drawing.height =
      kAxis + 26 + tied_height + kRankRowHeight * std::ceil(static_cast<double>(count) / 2);
  const double widest = 1 + diagram.critical_difference;  // its bar must fit as well
  const Scale scale{.low = 1, .high = std::max({double(count), widest, 2.0})};
  const PixelRange x{label_width(diagram), diagram.width - label_width(diagram)};
  drawing.body += draw_axis(diagram, scale, x);
  for (size_t i = 0; i < count; ++i) {
    const double at = place(scale, diagram.average_ranks[order[i]], x);
    drawing.body += draw_name(diagram, order[i], i, at, tied_height);
  }
  for (size_t i = 0; i < diagram.tied.size(); ++i) {
    const auto [first, last] = diagram.tied[i];
    const double from = place(scale, diagram.average_ranks[order[first]], x) - 4;
    const double to = place(scale, diagram.average_ranks[order[last]], x) + 4;
    drawing.body += draw_box(from, kAxis + 6 + 7 * static_cast<double>(i), to - from, 4, "c1");
  }
  return drawing;
}

std::string csv(const RankDiagram& diagram) {
  std::string text = csv_line({"label", "rank"});
  for (const size_t method : by_rank(diagram))
    text += csv_line({diagram.names[method], csv_number(diagram.average_ranks[method])});
  return text + csv_line({"critical difference", csv_number(diagram.critical_difference)});
}

}  // namespace dovetail
