// SPDX-License-Identifier: Apache-2.0
#include "report/charts/network_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/pages/markup.h"
#include "report/tables/data_table.h"

namespace dovetail {
namespace {

constexpr double kCallHeight = 16;
constexpr double kCallFontSize = 10.5;
constexpr double kBarHeight = 10;
constexpr double kDotRadius = 3;
constexpr double kLaneWidth = 8;
constexpr double kTimeRoom = 104;  // right of the longest bar

// Lane 0 is the line through the dots.
struct Track {
  const NetworkChartTensor* tensor = nullptr;
  size_t lane = 0;
};

bool only_next_reads(const NetworkChartTensor& tensor) {
  return tensor.read_by.back() == tensor.made_by + 1;
}

// Each tensor has the lane nearest to the dots that is free from its maker to its last reader.
std::vector<Track> tracks_of(const NetworkChart& chart) {
  std::vector<Track> tracks;
  for (const NetworkChartTensor& tensor : chart.tensors)
    if (!tensor.read_by.empty()) tracks.push_back({&tensor});
  std::ranges::stable_sort(tracks, {}, [](const Track& t) { return t.tensor->made_by; });
  std::vector<size_t> free_from;  // a call, by lane beyond the first
  for (Track& track : tracks) {
    const NetworkChartTensor& tensor = *track.tensor;
    if (only_next_reads(tensor)) continue;
    auto lane =
        std::ranges::find_if(free_from, [&](size_t call) { return call <= tensor.made_by; });
    if (lane == free_from.end()) lane = free_from.insert(lane, 0);
    *lane = tensor.read_by.back();
    track.lane = static_cast<size_t>(lane - free_from.begin()) + 1;
  }
  return tracks;
}

struct NetworkPlaces {
  double labels = 0;  // width of their column
  double dots = 0;    // x of lane 0
  double top = 0;
  PixelRange x;  // range of the bars
  Scale scale;   // in `unit`
  TimeUnit unit;
  double total_seconds = 0;

  double y(size_t call) const { return top + kCallHeight * (static_cast<double>(call) + 0.5); }
};

NetworkPlaces places_of(const NetworkChart& chart, const std::vector<Track>& tracks, double top) {
  NetworkPlaces places;
  places.top = top;
  std::vector<double> seconds;
  for (const NetworkChartCall& call : chart.calls) {
    places.labels = std::max(places.labels, text_width(call.label, kCallFontSize) + 8);
    if (call.seconds) seconds.push_back(*call.seconds);
    places.total_seconds += call.seconds.value_or(0);
  }
  places.labels = std::min(places.labels, chart.width * 0.4);
  places.dots = places.labels + kDotRadius + 2;
  size_t lanes = 0;
  for (const Track& track : tracks) lanes = std::max(lanes, track.lane);
  const double most = chart.width * 0.7 - places.dots;  // bars keep their room
  places.x = {places.dots + std::min(kLaneWidth * static_cast<double>(lanes), most) + 14,
              chart.width - kTimeRoom};
  if (!seconds.empty()) places.unit = time_unit(std::ranges::max(seconds));
  for (double& one : seconds) one *= places.unit.per_second;
  places.scale = make_scale(seconds, {.log = false, .from_zero = true, .margins = false});
  return places;
}

std::string draw_path(const std::string& path, size_t layout, std::string_view tip) {
  return fmt::format(
      "<path class=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" d=\"{}\">"
      "<title>{}</title></path>\n",
      series_class(layout), path, escape_markup(tip));
}

// Draws a tensor: down from its producer, beside the calls between, and to each consumer.
std::string draw_track(const NetworkChart& chart, const NetworkPlaces& places, const Track& track) {
  const NetworkChartTensor& tensor = *track.tensor;
  const std::string tip = fmt::format("{}: {}", tensor.name, chart.layouts[tensor.layout]);
  const double dots = places.dots;
  const auto line = [&](double x, double from, double to) {
    return fmt::format("M{0},{1} L{0},{2}", pixels(x), pixels(from), pixels(to));
  };
  const double maker = places.y(tensor.made_by);
  if (track.lane == 0)
    return draw_path(line(dots, maker, places.y(tensor.read_by[0])), tensor.layout, tip);
  const double lane =
      std::min(dots + kLaneWidth * static_cast<double>(track.lane), places.x.from - 10);
  constexpr double kBend = kCallHeight / 2;
  const auto bend = [&](double from_y, double to_y, double from_x, double to_x) {
    return fmt::format("M{},{} Q{},{} {},{}", pixels(from_x), pixels(from_y), pixels(lane),
                       pixels(from_x == dots ? from_y : to_y), pixels(to_x), pixels(to_y));
  };
  std::string path = bend(maker, maker + kBend, dots, lane) + " " +
                     line(lane, maker + kBend, places.y(tensor.read_by.back()) - kBend);
  for (const size_t reader : tensor.read_by)
    path += " " + bend(places.y(reader) - kBend, places.y(reader), lane, dots);
  return draw_path(path, tensor.layout, tip);
}

// The layout of the first tensor that each call makes; none: it makes none.
std::vector<std::optional<size_t>> layouts_made(const NetworkChart& chart) {
  std::vector<std::optional<size_t>> made(chart.calls.size());
  for (const NetworkChartTensor& tensor : chart.tensors)
    if (!made[tensor.made_by]) made[tensor.made_by] = tensor.layout;
  return made;
}

std::string draw_dot(double x, double y, bool is_hollow) {
  return fmt::format(
      "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\" stroke=\"currentColor\"/>\n", pixels(x),
      pixels(y), pixels(kDotRadius), is_hollow ? "paper" : "ink");
}

std::string draw_call(const NetworkChartCall& call, const NetworkPlaces& places, double y,
                      std::optional<size_t> layout) {
  std::string body =
      draw_text(places.labels - 2, y + 3.5, fit_text(call.label, places.labels - 4, kCallFontSize),
                {.classes = call.is_conversion || !call.seconds ? "muted" : "ink",
                 .anchor = Anchor::end,
                 .size = kCallFontSize});
  body += draw_dot(places.dots, y, call.is_conversion);
  if (!call.seconds) return body;
  const double end = place(places.scale, *call.seconds * places.unit.per_second, places.x);
  body += draw_box(places.x.from, y - kBarHeight / 2, end - places.x.from, kBarHeight,
                   layout ? series_class(*layout) : "muted", call.tip);
  const double share = places.total_seconds > 0 ? *call.seconds / places.total_seconds : 0;
  return body +
         draw_text(end + 5, y + 3.5,
                   fmt::format("{}  {:.1f} %", time_text(*call.seconds, places.unit), 100 * share),
                   {.classes = "muted", .size = 9.5});
}

Drawing legend_of(const NetworkChart& chart, double top) {
  std::vector<LegendEntry> entries;
  for (size_t i = 0; i < chart.layouts.size(); ++i)
    entries.push_back({.name = chart.layouts[i], .series = i, .mark = LegendMark::box});
  return draw_legend(entries, 8, top, chart.width - 16);
}

}  // namespace

Drawing draw(const NetworkChart& chart) {
  constexpr double kChartTop = 4;
  Drawing drawing{.width = chart.width, .height = 60};
  if (chart.calls.empty()) {
    drawing.body += draw_nothing(chart.width, kChartTop + 30);
    return drawing;
  }
  const Drawing legend = legend_of(chart, kChartTop);
  const std::vector<Track> tracks = tracks_of(chart);
  const NetworkPlaces places = places_of(chart, tracks, kChartTop + legend.height + 4);
  const double bottom = places.top + kCallHeight * static_cast<double>(chart.calls.size());
  drawing.body =
      legend.body + draw_value_axis(places.scale, places.x, places.top, bottom,
                                    fmt::format("time ({})", places.unit.name), AxisLine::at_zero);
  for (const Track& track : tracks) drawing.body += draw_track(chart, places, track);
  const std::vector<std::optional<size_t>> made = layouts_made(chart);
  for (size_t c = 0; c < chart.calls.size(); ++c)
    drawing.body += draw_call(chart.calls[c], places, places.y(c), made[c]);
  drawing.height = bottom + 34;
  return drawing;
}

std::string csv(const NetworkChart& chart) {
  std::string text = csv_line({"label", "series", "value"});
  const std::vector<std::optional<size_t>> made = layouts_made(chart);
  for (size_t c = 0; c < chart.calls.size(); ++c) {
    const NetworkChartCall& call = chart.calls[c];
    if (call.seconds)
      text +=
          csv_line({call.label, made[c] ? chart.layouts[*made[c]] : "", csv_number(*call.seconds)});
  }
  return text;
}

}  // namespace dovetail
