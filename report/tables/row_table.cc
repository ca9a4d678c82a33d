// SPDX-License-Identifier: Apache-2.0
#include "report/tables/row_table.h"

#include <cstddef>

#include "core/base/check.h"

namespace dovetail {
namespace {

// The columns from left to right, by their positions among the fields, without those that all lack.
std::vector<size_t> order_of(const RowCells& header, const std::vector<RowCells>& rows) {
  std::vector<size_t> order;
  for (size_t c = 0; c < header.size(); ++c)
    if (header[c].before.empty()) order.push_back(c);
  for (size_t c = 0; c < header.size(); ++c) {
    const std::string& before = header[c].before;
    const auto is_it = [&](size_t other) { return header[other].column.title == before; };
    if (!before.empty()) order.insert(std::ranges::find_if(order, is_it), c);
  }
  std::erase_if(order, [&](size_t c) {
    return std::ranges::all_of(rows, [c](const RowCells& row) { return row[c].may_lack; }) &&
           header[c].may_lack;
  });
  return order;
}

}  // namespace

void name_column(std::string_view name, RowCell& cell) {
  std::string& title = cell.column.title;
  const size_t at = title.find("{}");
  CHECK(at != std::string::npos, "a map's columns have names");
  title.replace(at, 2, name);
}

DataTable assembled(const RowCells& header, const std::vector<RowCells>& rows) {
  DataTable table;
  const std::vector<size_t> order = order_of(header, rows);
  for (const size_t c : order) table.columns.push_back(header[c].column);
  for (const RowCells& row : rows) {
    CHECK(row.size() == header.size(), "rows have the same columns");
    std::vector<DataCell>& cells = table.rows.emplace_back();
    for (const size_t c : order) cells.push_back(row[c].cell);
  }
  return table;
}

}  // namespace dovetail
