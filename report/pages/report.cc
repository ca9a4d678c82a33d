// SPDX-License-Identifier: Apache-2.0
#include "report/pages/report.h"

namespace dovetail {

std::string keep(Report& report, Figure figure, std::string_view caption) {
  std::string html = figure_html(figure, caption);
  report.figures.push_back(std::move(figure));
  return html;
}

std::string keep(Report& report, DataTable table) {
  std::string html = to_html(table);
  report.tables.push_back(std::move(table));
  return html;
}

}  // namespace dovetail
