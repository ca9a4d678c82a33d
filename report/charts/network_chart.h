// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkChart: a network as it runs: one row per call with a bar of its time, and beside the rows
// the tensors that go from call to call, coloured by their layout.
//
//   NetworkChart chart;
//   chart.layouts = {"row_major", "2 3 1"};
//   chart.calls = {{.label = "input"}, {.label = "conv1", .seconds = 2e-4}, {.label = "add", …}};
//   chart.tensors = {{.made_by = 0, .read_by = {1}, .layout = 0},
//                    {.made_by = 1, .read_by = {2, 4}, .layout = 1}};
//
//     input  o
//     conv1  o        ======== 200 µs  55 %
//       add  o-.      ==       51.0 µs 14 %
//       …    o |
//      conv5 o-'
//
// A bar has the colour of the call's output. A tensor that only the next call reads is a line from
// dot to dot; one that later calls read runs beside them, in the nearest free lane. A hollow dot is
// a conversion, which computes nothing.
//
// Rows and not a drawn graph, because networks are long and narrow, names need room, and times can
// only be compared on one axis.

#include <optional>
#include <string>
#include <vector>

#include "report/charts/drawing.h"

namespace dovetail {

struct NetworkChartCall {
  std::string label = {};
  std::optional<double> seconds = {};  // none: an input
  bool is_conversion = false;
  std::string tip = {};  // shown when one points at its bar
};

struct NetworkChartTensor {
  std::string name = {};
  size_t made_by = 0;                // index into calls
  std::vector<size_t> read_by = {};  // later calls, in order
  size_t layout = 0;
};

struct NetworkChart {
  std::vector<std::string> layouts = {};
  std::vector<NetworkChartCall> calls = {};  // in the order in which they run
  std::vector<NetworkChartTensor> tensors = {};
  double width = 960;
};

Drawing draw(const NetworkChart& chart);

// label,series,value: a call, the layout of what it makes, seconds
std::string csv(const NetworkChart& chart);

}  // namespace dovetail
