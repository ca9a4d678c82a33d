// SPDX-License-Identifier: Apache-2.0
#pragma once

// write_report: the page of a campaign or a comparison, once or while the campaign runs.
//
// The figures and tables of a report as files, for papers:
//
//   figures/time.svg  time.pdf  time.csv     a figure, and the numbers that it is drawn from
//           tasks.tex  tasks.csv             a table (booktabs), and its numbers
//
// PDF is rendered from our SVG by librsvg and cairo, in a separate library that is loaded on
// demand: they bring a dozen more libraries, which every start of `dovetail show` would wait for.

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
  int64_t every_seconds = 5;                       // interval of --follow
  std::vector<std::string> results;                // what tune, bench or run --json printed
  std::string figures;                             // folder; empty: none
  std::optional<double> figure_width_inches = {};  // SVG and PDF files; none: as on the page
};

struct ReportListener {
  std::function<void(const std::string& line)> note = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };  // ends `follow`
};

// Returns the files of figures written beside the page. Errors: bad input or file I/O.
Result<std::vector<std::string>> write_report(const ReportOptions& options,
                                              const ReportListener& listener);

}  // namespace dovetail
