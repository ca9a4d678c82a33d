// SPDX-License-Identifier: Apache-2.0
#include "report/tables/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace dovetail {
namespace {

// Columns on a terminal: code points, as far as texts in the languages of names and reasons go.
size_t width_of(const std::string& text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

void append_line(std::string& out, const std::vector<std::string>& cells,
                 const std::vector<Column>& columns, const std::vector<size_t>& widths) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - width_of(cells[i]), ' ');
    if (i > 0) line += "  ";
    line += columns[i].align == Align::left ? cells[i] + padding : padding + cells[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return text;
  std::string cell = "\"";
  for (const char byte : text) {
    if (byte == '"') cell += '"';
    cell += byte;
  }
  return cell + "\"";
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
  CHECK(cells.size() == columns_.size(), "a row has a cell for each column");
  rows_.push_back(std::move(cells));
}

std::string print(const Table& table) {
  std::vector<std::string> titles;
  std::vector<size_t> widths;
  for (const Column& column : table.columns_) {
    titles.push_back(column.title);
    widths.push_back(width_of(column.title));
  }
  for (const auto& row : table.rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  append_line(text, titles, table.columns_, widths);
  for (const auto& row : table.rows_) append_line(text, row, table.columns_, widths);
  return text;
}

std::string significant(double value) {
  constexpr int kDigits = 4;
  if (!std::isfinite(value) || value == 0) return fmt::format("{:g}", value);
  const double magnitude = std::floor(std::log10(std::abs(value)));
  if (magnitude < -4 || magnitude > 9) return fmt::format("{:.{}g}", value, kDigits);
  const int decimals = std::max(0, kDigits - 1 - int(magnitude));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string microseconds(double seconds) { return significant(seconds * 1e6); }

std::string percent(double fraction) { return fmt::format("{:.1f}", fraction * 100); }

std::string microseconds(const std::optional<double>& seconds) {
  return seconds ? microseconds(*seconds) : "-";
}

std::string significant(const std::optional<double>& value) {
  return value ? significant(*value) : "-";
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
