// SPDX-License-Identifier: Apache-2.0
#pragma once

// DataTable: a table for a page (a click on a title sorts it), for LaTeX (booktabs) and as CSV.
//
//   DataTable table{.name = "tasks", .title = "Tasks", .columns = {{"task"}, {"best (µs)", true}}};
//   table.rows.push_back({text_cell("gmm:m=8,n=8,k=8"), number_cell(0.52, "0.52")});
//   to_html(table), to_latex(table), to_csv(table)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

struct DataColumn {
  std::string title = {};
  bool number = false;  // aligned right
  bool code = false;    // in a fixed-width font
};

struct DataCell {
  std::string text = {};
  std::optional<double> value = {};  // what it is sorted by, and what CSV has
};

DataCell text_cell(std::string text);
DataCell number_cell(double value, std::string text);
DataCell count_cell(int64_t count);
DataCell microseconds_cell(const std::optional<double>& seconds);  // a dash: none, or not finite
// A dash for what there is none of.
DataCell number_cell(const std::optional<double>& value, int digits);

struct DataTable {
  std::string name = {};   // of its files
  std::string title = {};  // its caption
  std::vector<DataColumn> columns = {};
  std::vector<std::vector<DataCell>> rows = {};  // as many cells as columns
};

std::string to_html(const DataTable& table);
std::string to_latex(const DataTable& table);
std::string to_csv(const DataTable& table);

std::string escape_latex(std::string_view text);

}  // namespace dovetail
