// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "report/charts/scale.h"
#include "report/pages/figure.h"
#include "report/pages/markup.h"
#include "tests/report/xml.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::read_xml;

constexpr const char* kHostile = "<script>alert('&\"]]>')</script>\x01\xff";

LineChart small_curves() {
  LineChart chart;
  chart.title = "gmm:m=8,n=8,k=8";
  chart.x = {.title = "trials", .log = true};
  chart.y = {.title = "best time (µs)"};
  chart.series = {{.name = "random",
                   .points = {{1, 40}, {10, 30}, {100, 30}},
                   .band = {{1, 38, 42}, {10, 29, 33}, {100, 29, 31}},
                   .steps = true},
                  {.name = "trials", .points = {{2, 36}}, .dots = true, .colour = 7}};
  chart.references = {{.y = 40, .name = "default"}};
  chart.width = 320;
  chart.height = 190;
  return chart;
}

BarChart small_bars() {
  BarChart chart;
  chart.axis = "GFLOP/s";
  chart.series = {"default", "best"};
  chart.rows = {{"gmm:m=8,n=8,k=8", {120, 180}}, {"own", {std::nullopt, 90}}};
  chart.width = 400;
  return chart;
}

IntervalChart small_intervals() {
  IntervalChart chart;
  chart.axis = "score";
  chart.rows = {{"dovetail", 0.7, 0.65, 0.74}, {"random", 0.01, -0.03, 0.05}};
  chart.reference = 0;
  chart.width = 480;
  return chart;
}

RankDiagram small_ranks() {
  RankDiagram diagram;
  diagram.names = {"random", "dovetail", "ppo"};
  diagram.average_ranks = {2.8, 1.2, 2.0};
  diagram.critical_difference = 1.1;
  diagram.tied = {{0, 1}, {1, 2}};
  return diagram;
}

// a -> b -> c -> d, and a -> d beside b and c; c is a layout conversion.
NetworkChart small_network() {
  NetworkChart chart;
  chart.layouts = {"row_major", "1 2 3 1:16"};
  chart.calls = {{.label = "x"},
                 {.label = "a", .seconds = 3e-6, .tip = "a with relu: 3.00 µs"},
                 {.label = "b", .seconds = 2e-6},
                 {.label = "c", .seconds = 1e-6, .is_conversion = true},
                 {.label = "d", .seconds = 4e-6}};
  chart.tensors = {{.name = "x", .made_by = 0, .read_by = {1}},
                   {.name = "t", .made_by = 1, .read_by = {2, 4}, .layout = 1},
                   {.name = "u", .made_by = 2, .read_by = {3}, .layout = 1},
                   {.name = "u", .made_by = 3, .read_by = {4}},
                   {.name = "y", .made_by = 4}};
  chart.width = 480;
  return chart;
}

std::string svg(const Chart& chart) { return svg_file(draw(chart), "a figure"); }

TEST(Charts, DrawWhatAReviewerHasSeen) {
  EXPECT_GOLDEN(svg(small_curves()), "report/charts/curves");
  EXPECT_GOLDEN(svg(small_bars()), "report/charts/bars");
  EXPECT_GOLDEN(svg(small_intervals()), "report/charts/intervals");
  EXPECT_GOLDEN(svg(small_ranks()), "report/charts/ranks");
  EXPECT_GOLDEN(svg(small_network()), "report/charts/network");
}

TEST(Charts, SlowDotsDoNotPressTheCurvesIntoACorner) {
  LineChart chart = small_curves();
  const auto grid = [](const LineChart& of) { return read_xml(svg(of)).text; };
  const std::string without = grid(chart);
  chart.series[1].points.push_back({3, 4000});
  EXPECT_EQ(grid(chart), without) << "the same ticks";
  EXPECT_EQ(read_xml(svg(chart)).elements.at("circle"), 2) << "one, and the legend's mark";
  chart.series[1].points.push_back({4, 35});
  EXPECT_EQ(read_xml(svg(chart)).elements.at("circle"), 3);
}

TEST(Charts, HaveNoBandsWhereManyWouldHideEachOther) {
  LineChart chart = small_curves();
  const Curve curve = chart.series[0];
  chart.series.assign(4, curve);
  EXPECT_EQ(read_xml(svg(chart)).elements.at("polygon"), 4);
  chart.series.assign(5, curve);
  EXPECT_FALSE(read_xml(svg(chart)).elements.contains("polygon"));
  EXPECT_NE(csv(chart).find("random,1,,38,42"), std::string::npos) << "the CSV has them";
}

TEST(Charts, FitAColumn) {
  for (const Chart& chart : {Chart(small_curves()), Chart(small_bars()), Chart(small_intervals()),
                             Chart(small_ranks()), Chart(small_network())}) {
    const Drawing drawing = draw(with_width(chart, 300));
    EXPECT_EQ(drawing.width, 300);
    EXPECT_EQ(read_xml(svg_file(drawing, "narrow")).error, "");
  }
}

TEST(Charts, StackedBarsPutPartsEndToEnd) {
  BarChart chart = small_bars();
  chart.stacked = true;
  chart.rows = {{"a", {1, 3}, {"4 s"}}};
  const auto xml = read_xml(svg(chart));
  EXPECT_EQ(xml.error, "");
  EXPECT_EQ(xml.elements.at("rect"), 4);  // two parts, and two marks of the legend
  EXPECT_NE(xml.text.find("4 s"), std::string::npos);
}

TEST(Charts, AreWellFormedWhateverNamesHold) {
  LineChart curves = small_curves();
  curves.title = curves.x.title = curves.series[0].name = curves.references[0].name = kHostile;
  BarChart bars = small_bars();
  bars.axis = bars.series[0] = bars.rows[0].label = kHostile;
  IntervalChart intervals = small_intervals();
  intervals.rows[0].label = kHostile;
  RankDiagram ranks = small_ranks();
  ranks.names[0] = kHostile;
  NetworkChart network = small_network();
  network.layouts[0] = network.calls[1].label = network.tensors[1].name = kHostile;
  for (const Chart& chart :
       {Chart(curves), Chart(bars), Chart(intervals), Chart(ranks), Chart(network)}) {
    const auto xml = read_xml(svg_file(draw(chart), kHostile));
    EXPECT_EQ(xml.error, "");
    EXPECT_FALSE(xml.elements.contains("script"));
    EXPECT_NE(xml.text.find("alert('&\"]]>')"), std::string::npos);
  }
}

TEST(Charts, SayThatThereIsNothingToShow) {
  for (const Chart& chart :
       {Chart(LineChart()), Chart(BarChart()), Chart(IntervalChart()), Chart(NetworkChart())}) {
    const auto xml = read_xml(svg(chart));
    EXPECT_EQ(xml.error, "");
    EXPECT_NE(xml.text.find("nothing to show yet"), std::string::npos);
  }
}

TEST(Charts, LeaveOutWhatHasNoPlaceOnALogarithm) {
  LineChart chart = small_curves();
  chart.y.log = true;
  chart.series[0].points = {{1, 0}, {10, -3}};
  chart.series[0].band.clear();
  EXPECT_EQ(read_xml(svg(chart)).elements.count("polyline"), 0u);
}

TEST(Charts, CsvHasEveryNumberThatIsDrawn) {
  EXPECT_EQ(csv(Chart(small_bars())),
            "label,series,value\n\"gmm:m=8,n=8,k=8\",default,120\n\"gmm:m=8,n=8,k=8\",best,180\n"
            "own,default,\nown,best,90\n");
  EXPECT_EQ(csv(Chart(small_ranks())),
            "label,rank\ndovetail,1.2\nppo,2\nrandom,2.8\ncritical difference,1.1\n");
}

TEST(Charts, TensorsRunBesideTheCallsThatDoNotReadThem) {
  NetworkChart chart = small_network();
  EXPECT_EQ(read_xml(svg(chart)).elements.at("path"), 4) << "nobody reads y";
  // Bars begin behind the lanes: their boxes are 10 high, and the first one is a's.
  const auto first_bar = [](const NetworkChart& of) {
    const std::string text = svg(of);
    const size_t begin = text.rfind("<rect", text.find("a with relu"));
    return text.substr(begin, text.find(" y=", begin) - begin);
  };
  const std::string one_lane = first_bar(chart);
  chart.tensors[3] = {.name = "v", .made_by = 4};
  chart.tensors[0].read_by = {2};
  EXPECT_NE(first_bar(chart), one_lane) << "t is made before x was read for the last time";
}

TEST(Charts, CsvOfANetworkHasNoInputs) {
  EXPECT_EQ(csv(Chart(small_network())),
            "label,series,value\na,1 2 3 1:16,3e-06\nb,1 2 3 1:16,2e-06\nc,row_major,1e-06\n"
            "d,row_major,4e-06\n");
}

TEST(Scale, TicksAreRoundNumbersInside) {
  EXPECT_EQ(ticks({.low = 0, .high = 97}, 6), (std::vector<double>{0, 20, 40, 60, 80}));
  EXPECT_EQ(ticks({.low = 0.9, .high = 1100, .log = true}, 5),
            (std::vector<double>{1, 10, 100, 1000}));
  EXPECT_EQ(ticks({.low = 24, .high = 26, .log = true}, 4).empty(), false);
}

TEST(Scale, HoldsConstantAndAbsentValues) {
  const Scale constant = make_scale(std::vector<double>{5, 5});
  EXPECT_LT(constant.low, 5);
  EXPECT_GT(constant.high, 5);
  EXPECT_LT(make_scale({}).low, make_scale({}).high);
  EXPECT_GT(make_scale({}, {.log = true}).low, 0);
  const std::vector<double> rounded = {7, 7 * (1 + 1e-15)};
  EXPECT_LT(ticks(make_scale(rounded, {.log = true, .margins = false}), 9).size(), 10U);
}

TEST(Scale, SaysTimesAsPeopleDo) {
  EXPECT_EQ(seconds_text(24.19e-6), "24.2 µs");
  EXPECT_EQ(seconds_text(1.31), "1.31 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 05 min");
}

TEST(Markup, LongTextLosesItsMiddle) {
  const std::string spec = "c3d:ci=256,co=256,depth=16,h=14,w=14,k=3,p=1";
  EXPECT_EQ(fit_text(spec, 1000, 11), spec);
  const std::string fitted = fit_text(spec, 120, 11);
  EXPECT_LE(text_width(fitted, 11), 120);
  EXPECT_TRUE(fitted.starts_with("c3d:ci"));
  EXPECT_TRUE(fitted.ends_with("p=1"));
}

TEST(Markup, BytesThatXmlForbidsAreEscaped) {
  EXPECT_EQ(escape_markup("a\x01"
                          "b\xff"
                          "c\xed\xa0\x80"),
            "a\\x01b\\xffc\\xed\\xa0\\x80");
  EXPECT_EQ(escape_markup("a\u202Eb\n\t"), "a\\xe2\\x80\\xaeb\n\t");
  EXPECT_EQ(escape_markup("µ ≤ 3"), "µ ≤ 3");
}

}  // namespace
}  // namespace dovetail
