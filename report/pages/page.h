// SPDX-License-Identifier: Apache-2.0
#pragma once

// Page: a report as one HTML file that needs nothing else: no network, no fonts, no scripts but a
// few lines that sort tables, without which the page is complete, too.
//
//   Page page{.title = "Campaign of 9 tasks", .subtitle = "cpu, AMD EPYC"};
//   page.sections.push_back({"tasks", "Tasks", to_html(table)});
//   print(page)     <!DOCTYPE html><html>...</html>
//
// Report: a page, and the figures and tables in it, which `--figures DIR` writes as files.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/pages/figure.h"
#include "report/tables/data_table.h"

namespace dovetail {

struct Section {
  std::string anchor = {};
  std::string title = {};
  std::string html = {};
};

// A headline number.
struct Card {
  std::string value = {};
  std::string name = {};
  bool is_warning = false;
};

struct Page {
  std::string title = {};
  std::string subtitle = {};
  std::vector<Card> cards = {};
  std::vector<Section> sections = {};
  std::string footer = {};       // plain text
  int reload_every_seconds = 0;  // the page loads itself anew; 0: never
};

std::string print(const Page& page);

struct Report {
  Page page = {};
  std::vector<Figure> figures = {};
  std::vector<DataTable> tables = {};
  int num_figures = 0;  // on the page; small multiples count once
};

// Keeps a figure or a table for the files, and returns its markup for the page. Figures are
// numbered in the order of the page: "Figure 3. Where time went", and the caption.
std::string keep(Report& report, Figure figure);
std::string keep(Report& report, DataTable table);
// Small multiples, numbered as one figure.
std::string keep_grid(Report& report, const std::vector<Figure>& figures, std::string_view title,
                      std::string_view caption);

// Pieces of sections.
std::string paragraph(std::string_view text);  // plain text, escaped
std::string note(std::string_view text);       // a highlighted box
std::string code_block(std::string_view text);
std::string details(std::string_view summary, std::string_view html);  // collapsed until opened
// "<dl>" of the facts that have a value.
std::string facts_list(const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace dovetail
