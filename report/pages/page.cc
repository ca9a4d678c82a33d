// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page.h"

#include <fmt/format.h>

#include "report/pages/markup.h"
#include "report/pages/texts.h"

namespace dovetail {
namespace {

std::string head_of(const Page& page) {
  std::string head =
      "<!DOCTYPE html>\n<html lang=\"en\"><head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  if (page.reload_every_seconds > 0) {
    head +=
        fmt::format("<meta http-equiv=\"refresh\" content=\"{}\"/>\n", page.reload_every_seconds);
  }
  return head + fmt::format(
                    "<title>{}</title>\n<style>\n{}\n{}\n"
                    "@media screen and (prefers-color-scheme: dark) {{ {} }}\n"
                    "</style>\n</head>\n",
                    escape_markup(page.title), kPageStyle, chart_style(kLightColours),
                    chart_style(kDarkColours));
}

std::string cards_of(const Page& page) {
  if (page.cards.empty()) return {};
  std::string html = "<div class=\"cards\">\n";
  for (const Card& card : page.cards) {
    html += fmt::format("<div class=\"card{}\"><b>{}</b><span>{}</span></div>\n",
                        card.is_warning ? " warn" : "", escape_markup(card.value),
                        escape_markup(card.name));
  }
  return html + "</div>\n";
}

std::string contents_of(const Page& page) {
  if (page.sections.size() < 2) return {};
  std::string html = "<nav>";
  for (const Section& section : page.sections) {
    html += fmt::format("<a href=\"#{}\">{}</a>\n", escape_markup(section.anchor),
                        escape_markup(section.title));
  }
  return html + "</nav>\n";
}

std::string caption_of(Report& report, std::string_view title, std::string_view caption) {
  std::string text = fmt::format("<figcaption><span class=\"figure\">Figure {}.</span> {}.",
                                 ++report.num_figures, escape_markup(title));
  if (!caption.empty()) text += " " + escape_markup(caption);
  return text + "</figcaption>";
}

}  // namespace

std::string print(const Page& page) {
  std::string html = head_of(page);
  html += fmt::format("<body>\n<h1>{}</h1>\n<p class=\"subtitle\">{}</p>\n",
                      escape_markup(page.title), escape_markup(page.subtitle));
  html += cards_of(page) + contents_of(page);
  for (const Section& section : page.sections) {
    html += fmt::format("<h2 id=\"{}\">{}</h2>\n{}", escape_markup(section.anchor),
                        escape_markup(section.title), section.html);
  }
  html += fmt::format("<footer>{}</footer>\n", escape_markup(page.footer));
  // The script has no `<` and no `&`, so that it needs no CDATA, which HTML does not know.
  return html + fmt::format("<script>\n{}</script>\n</body></html>\n", kPageScript);
}

std::string paragraph(std::string_view text) {
  return fmt::format("<p>{}</p>\n", escape_markup(text));
}

std::string note(std::string_view text) {
  return fmt::format("<div class=\"note\">{}</div>\n", escape_markup(text));
}

std::string code_block(std::string_view text) {
  return fmt::format("<pre>{}</pre>\n", escape_markup(text));
}

std::string details(std::string_view summary, std::string_view html) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escape_markup(summary),
                     html);
}

std::string facts_list(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string html = "<dl>\n";
  for (const auto& [name, value] : facts) {
    if (value.empty()) continue;
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_markup(name), escape_markup(value));
  }
  return html + "</dl>\n";
}

std::string keep(Report& report, Figure figure) {
  std::string html =
      fmt::format("<figure>{}{}</figure>\n", inline_svg(draw(figure.chart), figure.title),
                  caption_of(report, figure.title, figure.caption));
  report.figures.push_back(std::move(figure));
  return html;
}

std::string keep(Report& report, DataTable table) {
  std::string html = to_html(table);
  report.tables.push_back(std::move(table));
  return html;
}

std::string keep_grid(Report& report, const std::vector<Figure>& figures, std::string_view title,
                      std::string_view caption) {
  std::string html = "<figure><div class=\"multiples\">\n";
  for (const Figure& figure : figures) {
    html += inline_svg(draw(figure.chart), figure.title);
    report.figures.push_back(figure);
  }
  return html + "</div>" + caption_of(report, title, caption) + "</figure>\n";
}

}  // namespace dovetail
