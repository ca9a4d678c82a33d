// SPDX-License-Identifier: Apache-2.0
#include "report/tables/data_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/base/csv.h"
#include "core/base/printable.h"
#include "report/pages/markup.h"

namespace dovetail {
namespace {

constexpr std::string_view kDash = "–";  // stands for a missing value

std::string_view class_of(const DataColumn& column) {
  constexpr std::string_view kClasses[] = {"", " class=\"number\"", " class=\"code\"", ""};
  return kClasses[column.kind];
}

// Specs may break after a comma, and only there.
std::string breakable(const std::string& escaped) {
  std::string text;
  for (const char byte : escaped) {
    text += byte;
    if (byte == ',') text += "<wbr/>";
  }
  return text;
}

// The text that a page shows below that of the first column: specs below names.
std::string text_below(const DataTable& table, const std::vector<DataCell>& row) {
  std::string text;
  for (size_t i = 0; i < row.size(); ++i) {
    const bool is_shown = table.columns[i].kind == kBelow && row[i].text != row[0].text;
    if (is_shown)
      text += fmt::format("<small>{}</small>", breakable(escape_markup(printable(row[i].text))));
  }
  return text;
}

std::string html_cell(const DataCell& cell, const DataColumn& column, std::string_view below) {
  const std::string value =
      cell.value ? fmt::format(" data-value=\"{}\"", *cell.value) : std::string();
  const std::string text = escape_markup(printable(cell.text));
  return fmt::format("<td{}{}>{}{}</td>", below.empty() ? class_of(column) : " class=\"name\"",
                     value, column.kind == kCode ? breakable(text) : text, below);
}

// LaTeX reads these as commands, or its standard fonts lack them.
constexpr std::pair<std::string_view, std::string_view> kLatex[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"%", "\\%"},
    {"~", "\\textasciitilde{}"},
    {"µ", "\\textmu{}"},
    {"×", "$\\times$"},
    {"^", "\\textasciicircum{}"},
    {"…", "\\ldots{}"},
    {"±", "$\\pm$"},
    {"τ", "$\\tau$"},
    {"≥", "$\\ge$"},
    {"≤", "$\\le$"},
    {"–", "--"},
    {"<", "$<$"},  // in the encoding OT1 both are other signs
    {">", "$>$"},
};

// Columns on a terminal, counted as code points, which is right for the languages of these texts.
size_t width_of(const std::string& text) {
  return size_t(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

DataCell text_cell(std::string text) { return {.text = std::move(text), .value = {}}; }

NumberCell number_cell(double value, std::string text) { return {{std::move(text), value}}; }

NumberCell count_cell(int64_t count) {
  return number_cell(static_cast<double>(count), fmt::format("{}", count));
}

NumberCell number_cell(const std::optional<double>& value, int digits) {
  if (!value) return {text_cell(std::string(kDash))};
  return number_cell(*value, fmt::format("{:.{}f}", *value, digits));
}

NumberCell microseconds_cell(const std::optional<double>& seconds, std::string_view otherwise) {
  return seconds ? significant_cell(*seconds * 1e6) : NumberCell{text_cell(std::string(otherwise))};
}

NumberCell significant_cell(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return {text_cell(std::string(kDash))};
  return number_cell(*value, significant(*value));
}

std::string to_html(const DataTable& table) {
  std::string html = "<div class=\"scroll\"><table class=\"sortable\">\n<thead><tr>";
  for (const DataColumn& column : table.columns)
    if (column.kind != kBelow)
      html += fmt::format("<th{}>{}</th>", class_of(column), escape_markup(column.title));
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<DataCell>& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].kind == kBelow) continue;
      html += html_cell(row[i], table.columns[i], i == 0 ? text_below(table, row) : "");
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string escape_latex(std::string_view name) {
  const std::string shown = printable(name);
  std::string_view text = shown;
  std::string escaped;
  while (!text.empty()) {
    const auto* const found = std::ranges::find_if(
        kLatex, [&](const auto& symbol) { return text.starts_with(symbol.first); });
    const bool known = found != std::end(kLatex);
    escaped += known ? found->second : text.substr(0, 1);
    text.remove_prefix(known ? found->first.size() : 1);
  }
  return escaped;
}

std::string latex_tabular(std::string_view columns,
                          const std::vector<std::vector<std::string>>& rows) {
  std::string latex = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n", columns);
  for (size_t i = 0; i < rows.size(); ++i)
    latex += fmt::format("{} \\\\\n{}", fmt::join(rows[i], " & "), i == 0 ? "\\midrule\n" : "");
  return latex + "\\bottomrule\n\\end{tabular}\n";
}

std::string with_note(std::string tabular, size_t columns, const std::string& note) {
  const size_t end = tabular.rfind("\\end{tabular}");
  return tabular.insert(end, fmt::format("\\multicolumn{{{}}}{{p{{0.95\\linewidth}}}}"
                                         "{{\\footnotesize {}}} \\\\\n",
                                         columns, note));
}

std::string to_latex(const DataTable& table) {
  const std::string comment =
      fmt::format("% {}; needs \\usepackage{{booktabs}}\n", escape_latex(table.title));
  if (!table.latex.empty()) return comment + table.latex;
  std::string columns;
  std::vector<std::vector<std::string>> rows(1);
  for (const DataColumn& column : table.columns) {
    columns += column.kind == kNumber ? 'r' : 'l';
    rows[0].push_back(escape_latex(column.title));
  }
  for (const std::vector<DataCell>& row : table.rows) {
    std::vector<std::string>& cells = rows.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string text = escape_latex(row[i].text);
      cells.push_back(table.columns[i].kind >= kCode ? "\\texttt{" + text + "}" : text);
    }
  }
  const std::string tabular = latex_tabular(columns, rows);
  if (table.latex_note.empty()) return comment + tabular;
  return comment + with_note(tabular, columns.size(), table.latex_note);
}

BoundedCell bounded_cell(double value, bool is_lower_bound) {
  const std::string text = significant(value);
  BoundedCell cell{number_cell(value, is_lower_bound ? "≥ " + text : text)};
  cell.is_lower_bound = is_lower_bound;
  return cell;
}

std::string to_csv(const DataTable& table) {
  std::vector<std::string> cells;
  for (const DataColumn& column : table.columns) {
    cells.push_back(column.title);
    if (column.has_bounds) cells.push_back(column.title + ": is lower bound");
  }
  std::string text = csv_line(cells);
  for (const std::vector<DataCell>& row : table.rows) {
    CHECK(row.size() == table.columns.size(), "a row has a cell for each column");
    cells.clear();
    for (size_t i = 0; i < row.size(); ++i) {
      const DataCell& cell = row[i];
      cells.push_back(cell.value ? csv_number(*cell.value) : cell.text == kDash ? "" : cell.text);
      if (table.columns[i].has_bounds) cells.push_back(cell.is_lower_bound ? "1" : "0");
    }
    text += csv_line(cells);
  }
  return text;
}

std::string print(const DataTable& table) {
  std::vector<std::vector<std::string>> lines(1);
  for (const DataColumn& column : table.columns) lines[0].push_back(column.title);
  for (const std::vector<DataCell>& row : table.rows) {
    CHECK(row.size() == table.columns.size(), "a row has a cell for each column");
    std::vector<std::string>& cells = lines.emplace_back();
    for (const DataCell& cell : row)
      cells.push_back(cell.text == kDash ? "-" : printable(cell.text));
  }
  std::vector<size_t> widths(table.columns.size());
  for (const auto& cells : lines)
    for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  std::string text;
  for (const auto& cells : lines) {
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - width_of(cells[i]), ' ');
      if (i > 0) text += "  ";
      text += table.columns[i].kind == kNumber ? padding + cells[i] : cells[i] + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
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

std::string csv_line(const std::vector<std::string>& cells) {
  std::vector<std::string> quoted;
  for (const std::string& cell : cells) quoted.push_back(csv_cell(cell));
  return fmt::format("{}\n", fmt::join(quoted, ","));
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

}  // namespace dovetail
