// SPDX-License-Identifier: Apache-2.0
#pragma once

// DataTable: a table for a page (a click on a title sorts it), for LaTeX (booktabs), as CSV and for
// a terminal.
//
//   DataTable table{.name = "tasks", .title = "Tasks", .columns = {{"task"}, {"best", kNumber}}};
//   table.rows.push_back({text_cell("gmm:m=8,n=8,k=8"), number_cell(0.52, "0.52")});
//   to_html(table), to_latex(table), to_csv(table), print(table)
//
// Where each row is a value of one type, columns are members of it, or functions of it:
//
//   table_of<Task>("tasks", "Tasks", tasks, {{"task", &Task::spec, kCode},
//                                            {"trials", &Task::trials},
//                                            {"best (µs)", [](const Task& task) { … }}})

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace dovetail {

enum ColumnKind {
  kText,
  kNumber,  // aligned right
  kCode,    // in a fixed-width font
  kBelow    // likewise; a page shows it below the first column's text
};

struct DataColumn {
  std::string title = {};
  ColumnKind kind = kText;
  bool has_bounds = false;  // CSV says in a column after it, by 0 and 1, which are lower bounds
};

struct DataCell {
  std::string text = {};
  std::optional<double> value = {};  // sort key, and value in CSV
  bool is_lower_bound = false;
};

// A cell of a column of numbers.
struct NumberCell : DataCell {};
// A cell of a column of numbers some of which may be lower bounds.
struct BoundedCell : NumberCell {};

DataCell text_cell(std::string text);
NumberCell number_cell(double value, std::string text);
NumberCell count_cell(int64_t count);
// A dash for a missing value; in significant_cell() also for one that is not finite.
NumberCell number_cell(const std::optional<double>& value, int digits);
NumberCell significant_cell(const std::optional<double>& value);  // four significant digits
BoundedCell bounded_cell(double value, bool is_lower_bound);      // likewise, "≥ 60.00"
// Likewise; `otherwise` stands for a missing value.
NumberCell microseconds_cell(const std::optional<double>& seconds,
                             std::string_view otherwise = "–");

struct DataTable {
  std::string name = {};   // file name without extension
  std::string title = {};  // its caption
  std::vector<DataColumn> columns = {};
  std::vector<std::vector<DataCell>> rows = {};  // as many cells as columns
  std::string latex = {};       // what to_latex() gives; empty: all columns and rows
  std::string latex_note = {};  // LaTeX that is the last row of all columns and rows
};

std::string to_html(const DataTable& table);
std::string to_latex(const DataTable& table);
std::string to_csv(const DataTable& table);
// Aligned columns, as the verbs print them. No lines, no colours, so that it can be read on a
// terminal, pasted into a mail, and cut by awk. Scripts should use --json instead.
//
//   operator               best (us)  GFLOP/s
//   gmm:m=512,n=512,k=512       1010    265.8
std::string print(const DataTable& table);

// Four significant digits and no exponent where that is short: 1010, 265.8, 0.00123, 1.2e-07.
std::string significant(double value);
std::string microseconds(double seconds);  // likewise

// One line of CSV (RFC 4180), from which figures are drawn. Cells: core/base/csv.h.
//
//   csv_line({"gmm:m=8,n=8,k=8", "0.5"})    "gmm:m=8,n=8,k=8",0.5\n
std::string csv_line(const std::vector<std::string>& cells);
// The shortest text that reads back as the same number; empty when it is not finite.
std::string csv_number(double value);

std::string escape_latex(std::string_view text);
// A LaTeX tabular by the letters of its columns; the first row has the titles.
std::string latex_tabular(std::string_view columns,
                          const std::vector<std::vector<std::string>>& rows);

// A note as the last row, so that it stays with the table wherever that is copied.
std::string with_note(std::string tabular, size_t columns, const std::string& note);

// Converts a value to a cell: numbers to number cells, texts to text cells; cells stay as they are.
inline DataCell cell_of(DataCell cell) { return cell; }
inline NumberCell cell_of(NumberCell cell) { return cell; }
inline BoundedCell cell_of(BoundedCell cell) { return cell; }
inline DataCell cell_of(std::string_view text) { return text_cell(std::string(text)); }
inline NumberCell cell_of(int64_t count) { return count_cell(count); }

template <typename Row>
struct ColumnOf {
  template <typename Value>
  ColumnOf(std::string title, Value value, ColumnKind kind = kText)
      : column{std::move(title), kind} {
    using Cell = decltype(cell_of(std::invoke(value, std::declval<const Row&>())));
    if (std::is_base_of_v<NumberCell, Cell>) column.kind = kNumber;
    column.has_bounds = std::is_same_v<Cell, BoundedCell>;
    cell = [value](const Row& row) { return cell_of(std::invoke(value, row)); };
  }

  DataColumn column;
  std::function<DataCell(const Row& row)> cell;
};

template <typename Row>
DataTable table_of(std::string name, std::string title, const std::vector<Row>& rows,
                   const std::vector<ColumnOf<Row>>& columns) {
  DataTable table{.name = std::move(name), .title = std::move(title)};
  for (const ColumnOf<Row>& column : columns) table.columns.push_back(column.column);
  for (const Row& row : rows) {
    std::vector<DataCell>& cells = table.rows.emplace_back();
    for (const ColumnOf<Row>& column : columns) cells.push_back(column.cell(row));
  }
  return table;
}

// Prints the same as text for a terminal.
template <typename Row>
std::string print_rows(const std::vector<Row>& rows, const std::vector<ColumnOf<Row>>& columns) {
  return print(table_of<Row>({}, {}, rows, columns));
}

}  // namespace dovetail
