// SPDX-License-Identifier: Apache-2.0
#pragma once

// Report: a page, and the figures and tables in it, which `--figures DIR` writes as files.
//
//   Report report = campaign_report(data, facts, state);
//   print(report.page)                              one HTML file
//   write_figures(report, "figures")                SVG, PDF, CSV, LaTeX, redraw.py

#include <vector>

#include "report/pages/figure.h"
#include "report/pages/page.h"
#include "report/tables/data_table.h"

namespace dovetail {

struct Report {
  Page page = {};
  std::vector<Figure> figures = {};
  std::vector<DataTable> tables = {};
};

// A figure or a table that is kept for the files: its markup for the page.
std::string keep(Report& report, Figure figure, std::string_view caption = {});
std::string keep(Report& report, DataTable table);

}  // namespace dovetail
