// SPDX-License-Identifier: Apache-2.0
#include "report/tables/data_table.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "report/pages/markup.h"
#include "report/tables/csv.h"
#include "report/tables/table.h"

namespace dovetail {
namespace {

std::string classes_of(const DataColumn& column) {
  if (column.number) return " class=\"number\"";
  return column.code ? " class=\"code\"" : "";
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

std::string html_cell(const DataCell& cell, const DataColumn& column) {
  const std::string value =
      cell.value ? fmt::format(" data-value=\"{}\"", *cell.value) : std::string();
  const std::string text = escape_markup(cell.text);
  return fmt::format("<td{}{}>{}</td>", classes_of(column), value,
                     column.code ? breakable(text) : text);
}

// LaTeX has no character for these in its standard fonts.
const std::map<std::string_view, std::string_view> kLatexSymbols = {
    {"µ", "\\textmu{}"}, {"×", "$\\times$"}, {"–", "--"},     {"…", "\\ldots{}"},
    {"±", "$\\pm$"},     {"τ", "$\\tau$"},   {"≥", "$\\ge$"}, {"≤", "$\\le$"},
};

std::string_view latex_of(char byte) {
  switch (byte) {
    case '\\':
      return "\\textbackslash{}";
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    case '$':
      return "\\$";
    case '&':
      return "\\&";
    case '#':
      return "\\#";
    case '_':
      return "\\_";
    case '%':
      return "\\%";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '\n':
      return " ";
    default:
      return {};
  }
}

}  // namespace

DataCell text_cell(std::string text) { return {.text = std::move(text), .value = {}}; }

DataCell number_cell(double value, std::string text) {
  return {.text = std::move(text), .value = value};
}

DataCell count_cell(int64_t count) {
  return number_cell(static_cast<double>(count), fmt::format("{}", count));
}

DataCell microseconds_cell(const std::optional<double>& seconds) {
  if (!seconds || !std::isfinite(*seconds)) return text_cell("–");
  return number_cell(*seconds * 1e6, significant(*seconds * 1e6));
}

DataCell number_cell(const std::optional<double>& value, int digits) {
  if (!value) return text_cell("–");
  return number_cell(*value, fmt::format("{:.{}f}", *value, digits));
}

std::string to_html(const DataTable& table) {
  std::string html = "<div class=\"scroll\"><table class=\"sortable\">\n<thead><tr>";
  for (const DataColumn& column : table.columns) {
    html += fmt::format("<th{}>{}</th>", classes_of(column), escape_markup(column.title));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<DataCell>& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) html += html_cell(row[i], table.columns[i]);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string escape_latex(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    size_t taken = 0;
    for (const auto& [symbol, latex] : kLatexSymbols) {
      if (!text.starts_with(symbol)) continue;
      escaped += latex;
      taken = symbol.size();
    }
    if (taken == 0) {
      const std::string_view latex = latex_of(text.front());
      escaped += latex.empty() ? text.substr(0, 1) : latex;
      taken = 1;
    }
    text.remove_prefix(taken);
  }
  return escaped;
}

std::string to_latex(const DataTable& table) {
  std::string columns;
  std::vector<std::string> titles;
  for (const DataColumn& column : table.columns) {
    columns += column.number ? 'r' : 'l';
    titles.push_back(escape_latex(column.title));
  }
  std::string latex = fmt::format(
      "% {}; needs \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n"
      "\\midrule\n",
      escape_latex(table.title), columns, fmt::join(titles, " & "));
  for (const std::vector<DataCell>& row : table.rows) {
    std::vector<std::string> cells;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string text = escape_latex(row[i].text);
      cells.push_back(table.columns[i].code ? "\\texttt{" + text + "}" : text);
    }
    latex += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  return latex + "\\bottomrule\n\\end{tabular}\n";
}

std::string to_csv(const DataTable& table) {
  std::vector<std::string> cells;
  for (const DataColumn& column : table.columns) cells.push_back(column.title);
  std::string text = csv_line(cells);
  for (const std::vector<DataCell>& row : table.rows) {
    cells.clear();
    for (const DataCell& cell : row) {
      cells.push_back(cell.value ? csv_number(*cell.value) : cell.text == "–" ? "" : cell.text);
    }
    text += csv_line(cells);
  }
  return text;
}

}  // namespace dovetail
