// SPDX-License-Identifier: Apache-2.0
#pragma once

// Table: what the verbs print for people: aligned columns, units in the titles.
//
//   Table table({{"operator", Align::left}, {"best (us)"}, {"GFLOP/s"}});
//   table.add_row({"gmm:m=512,n=512,k=512", microseconds(0.00101), significant(265.8)});
//   std::cout << print(table);
//
//   operator               best (us)  GFLOP/s
//   gmm:m=512,n=512,k=512       1010    265.8
//
// No lines, no colours: it is read on a terminal, pasted into a mail, and cut by awk. A script
// should rather ask for --json.

#include <optional>
#include <string>
#include <vector>

namespace dovetail {

enum class Align { right, left };

struct Column {
  std::string title;
  Align align = Align::right;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns);
  void add_row(std::vector<std::string> cells);  // as many as there are columns
  friend std::string print(const Table& table);  // each line ends with a line feed

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

std::string print(const Table& table);

// Cells. Four significant digits and no exponent where that is short: 1010, 265.8, 0.00123,
// 1.2e-07.
std::string significant(double value);
std::string microseconds(double seconds);
std::string percent(double fraction);  // 0.8712 -> 87.1
// "-" for what there is none of.
std::string microseconds(const std::optional<double>& seconds);
std::string significant(const std::optional<double>& value);

// CSV (RFC 4180), a line at a time; what figures are drawn from. Cells are quoted where a comma, a
// quote or a line feed asks for it.
//
//   csv_line({"gmm:m=8,n=8,k=8", "0.5"})    "gmm:m=8,n=8,k=8",0.5\n
std::string csv_line(const std::vector<std::string>& cells);
// The shortest text that reads back as the same number; empty when it is not finite.
std::string csv_number(double value);

}  // namespace dovetail
