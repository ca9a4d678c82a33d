// SPDX-License-Identifier: Apache-2.0
#include "report/tables/csv.h"

#include <fmt/format.h>

#include <cmath>

namespace dovetail {

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char byte : text) {
    if (byte == '"') cell += '"';
    cell += byte;
  }
  return cell + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_cell(cells[i]);
  }
  return line + "\n";
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

}  // namespace dovetail
