// SPDX-License-Identifier: Apache-2.0
#pragma once

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

#include <string>
#include <vector>

#include "core/base/result.h"
#include "report/pages/page.h"

namespace dovetail {

// The names of the files written. Makes the folder. PDF is left out where this program has no
// librsvg: `notes` then says so in one line.
Result<std::vector<std::string>> write_figures(const Report& report, const std::string& folder,
                                               std::vector<std::string>& notes);

}  // namespace dovetail
