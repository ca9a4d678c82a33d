// SPDX-License-Identifier: Apache-2.0
#pragma once

// Page: a report as one HTML file that needs nothing else: no network, no fonts, no scripts but a
// few lines that sort tables, without which the page is as whole.
//
//   Page page{.title = "Campaign of 9 tasks", .subtitle = "cpu, AMD EPYC"};
//   page.sections.push_back({"tasks", "Tasks", to_html(table)});
//   print(page)     <!DOCTYPE html><html>...</html>

#include <string>
#include <string_view>
#include <vector>

#include "report/pages/figure.h"

namespace dovetail {

struct Section {
  std::string anchor = {};
  std::string title = {};
  std::string html = {};
};

// A number that one sees first.
struct Card {
  std::string value = {};
  std::string name = {};
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

// Pieces of sections.
std::string paragraph(std::string_view text);  // plain text, escaped
std::string note(std::string_view text);       // a box that one should not miss
std::string code_block(std::string_view text);
std::string details(std::string_view summary, std::string_view html);  // shown when asked for
std::string figure_html(const Figure& figure, std::string_view caption = {});
std::string figure_grid(const std::vector<Figure>& figures);  // small multiples

}  // namespace dovetail
