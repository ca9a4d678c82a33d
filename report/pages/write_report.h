// SPDX-License-Identifier: Apache-2.0
#pragma once

// write_report: the page of a campaign or a comparison, once or while the campaign runs.
//
// The figures and tables of a report as files, for papers:
//
//   figures/time.svg  time.pdf  time.csv     a figure, and the numbers that it is drawn from
//           tasks.tex  tasks.csv             a table (booktabs), and its numbers
//           redraw.py                        draws every figure from its CSV with matplotlib
//
// Whoever wants other fonts or sizes changes redraw.py and not our drawings: all it needs lies
// beside it. PDF is made of our SVG by librsvg and cairo, in a library of its own that is loaded
// when a PDF is asked for: they bring a dozen more, which `dovetail show` would wait for at every
// start.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct ReportOptions {
  std::vector<std::string> inputs;  // logs, or the folder of one comparison
  std::string output;
  bool follow = false;
  int64_t every_seconds = 5;  // of --follow
  std::string results;        // what tune --json or bench --json printed; empty: none
  std::string figures;        // folder; empty: none
  std::optional<double> figure_width_inches = {};  // of SVG and PDF files; none: as on the page
};

struct ReportListener {
  std::function<void(const std::string& line)> note = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };  // ends `follow`
};

// The files of figures that were written beside the page. An error is bad input, or a file's.
Result<std::vector<std::string>> write_report(const ReportOptions& options,
                                              const ReportListener& listener);

}  // namespace dovetail
