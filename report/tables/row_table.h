// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows that are described once: a field's JSON key and its column stand side by side, so that a
// table and the JSON beside it cannot disagree.
//
//   auto fields_of(Of<Timed> auto& row) {
//     return std::tuple(Field{"name", row.name, Column{"task"}},
//                       Field{"seconds", row.seconds, Column{"time (us)", kMicroseconds}},
//                       Field{"gflops", gflops_of(row), Column{"GFLOP/s"}},
//                       Field{"algorithm", row.algorithm, Column{"algorithm", {}, "GFLOP/s"}},
//                       Field{"seed", row.seed});                           no column
//   }
//   table_of(rows)                 task  time (us)  algorithm  GFLOP/s
//   json_of(rows)                  [{"name":"c2d","seconds":2.5e-06,"gflops":…
//
// A field that is not_written is a column alone. One that is written unless_empty has a column
// unless all its cells are empty. A map gives columns of each name, which stands for {} in their
// titles: of its values, or of the fields that its optional values have.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/record/line/fields.h"
#include "report/tables/data_table.h"

namespace dovetail {

// Numbers with four significant digits, a dash for what is missing.
struct PlainCell {
  template <typename Value>
    requires(!fields::NamedItems<Value>)
  auto operator()(const Value& value) const {
    if constexpr (std::integral<Value>)
      return count_cell(static_cast<int64_t>(value));
    else if constexpr (std::convertible_to<Value, std::optional<double>>)
      return significant_cell(value);
    else if constexpr (fields::Optional<Value>)
      return value ? (*this)(*value) : text_cell("-");
    else if constexpr (fields::Printed<Value>)
      return text_cell(std::string(print(value)));
    else
      return text_cell(std::string(value));
  }
};

template <typename Cell = PlainCell>
struct Column {
  std::string title;
  Cell cell = {};  // makes the value a cell
  // The title of the column that it stands left of; empty: the columns stand as the fields do.
  std::string before = {};
  bool is_shown = true;
};
Column(std::string) -> Column<>;
template <typename Cell>
Column(std::string, Cell, std::string = {}, bool = true) -> Column<Cell>;
inline constexpr const char* kLastColumn = "\n";  // as `before`: at the right end

inline constexpr auto kMicroseconds = [](const std::optional<double>& seconds) {
  return microseconds_cell(seconds);
};
// Half an interval, in percent of its middle: how sure the time beside it is.
inline constexpr auto kHalfWidth = [](const std::optional<std::array<double, 2>>& ends) {
  const auto half_width = [](double low, double high) { return 100 * (high - low) / (high + low); };
  return number_cell(ends ? std::optional(half_width((*ends)[0], (*ends)[1])) : std::nullopt, 1);
};
// Numbers are multiplied by `factor`.
inline auto digits(int digits, double factor = 1) {
  return [=](const std::optional<double>& value) {
    return number_cell(value ? std::optional(*value * factor) : value, digits);
  };
}
inline auto scaled(double factor) {
  return [=](const std::optional<double>& value) {
    return significant_cell(value ? std::optional(*value * factor) : value);
  };
}

// A cell of one row, with all that is to be known of its column.
struct RowCell {
  DataColumn column;
  DataCell cell;
  std::string before = {};
  bool may_lack = false;  // the column goes if all its cells may lack
};
using RowCells = std::vector<RowCell>;

void name_column(std::string_view name, RowCell& cell);
DataTable assembled(const RowCells& header, const std::vector<RowCells>& rows);

namespace fields {

template <typename... Values, typename... Rules>
RowCells cells_of(const std::tuple<Field<Values, Rules>...>& row);

template <typename Item, typename Cell>
void add_cells(const Item& item, const Column<Cell>& column, RowCells& cells) {
  if constexpr (Optional<Item> && requires { fields_of(*item); }) {
    const typename Item::value_type none{};
    for (RowCell& cell : cells_of(fields_of(item ? *item : none))) cells.push_back(std::move(cell));
  } else if constexpr (std::invocable<const Cell&, const Item&>) {
    const auto cell = cell_of(column.cell(item));
    constexpr bool kIsNumber = std::same_as<decltype(cell), const NumberCell>;
    cells.push_back({{column.title, kIsNumber ? kNumber : kText}, cell, column.before});
  } else {  // a map
    for (const auto& [name, named] : item) {
      const size_t first = cells.size();
      add_cells(named, column, cells);
      for (size_t i = first; i < cells.size(); ++i) {
        name_column(name, cells[i]);
        cells[i].before = column.before;
      }
    }
  }
}

template <typename Value, typename Rule>
void add_field(const Field<Value, Rule>&, RowCells&) {}  // no column
template <typename Value, typename Cell>
void add_field(const Field<Value, Column<Cell>>& field, RowCells& cells) {
  if (!field.rule.is_shown) return;
  const size_t first = cells.size();
  add_cells(field.value, field.rule, cells);
  for (size_t i = first; i < cells.size(); ++i)
    cells[i].may_lack = field.presence == Presence::unless_empty && is_empty(field.value);
}

template <typename... Values, typename... Rules>
RowCells cells_of(const std::tuple<Field<Values, Rules>...>& row) {
  RowCells cells;
  std::apply([&](const auto&... field) { (add_field(field, cells), ...); }, row);
  return cells;
}

}  // namespace fields

// Without rows, the header of a default row.
template <std::ranges::range Rows>
DataTable table_of(const Rows& rows) {
  std::vector<RowCells> cells;
  for (const auto& row : rows) cells.push_back(fields::cells_of(fields_of(row)));
  if (!cells.empty()) return assembled(cells.front(), cells);
  const std::ranges::range_value_t<Rows> none{};
  return assembled(fields::cells_of(fields_of(none)), {});
}

}  // namespace dovetail
