// SPDX-License-Identifier: Apache-2.0
#include "report/data/winners.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "report/charts/scale.h"
#include "report/pages/page.h"

namespace dovetail {
namespace {

struct WonLayout {
  std::string tensor = {};
  std::string primitives = {};  // empty: as the operator's spec has it
  std::string scope = {};       // empty: global
};

struct Winner {
  std::string algorithm = {};  // empty: direct
  std::vector<WonLayout> layouts = {};
  std::string loops = {};
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

WonLayout parse_layout(std::string_view tensor, std::string_view text) {
  WonLayout layout{.tensor = std::string(tensor), .primitives = {}, .scope = {}};
  constexpr std::string_view kScope = "; scope ";
  const size_t scope = text.find(kScope);
  layout.primitives = trimmed(text.substr(0, scope));
  if (scope != std::string_view::npos) layout.scope = trimmed(text.substr(scope + kScope.size()));
  return layout;
}

bool is_word(char byte) {
  return (byte >= 'a' && byte <= 'z') || byte == '_' || (byte >= '0' && byte <= '9');
}

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

//   parse_winner("layout X: split(axis=i, factor=16) reorder(n, i.0, h, w, i.1) ; scope texture\n"
//                "loops: vectorize(o.1) ; parallel(o.0.0)\n")
//     layouts {{"X", "split(axis=i, factor=16) reorder(n, i.0, h, w, i.1)", "texture"}}
//     loops   "vectorize(o.1) ; parallel(o.0.0)"
Winner parse_winner(std::string_view trace) {
  Winner winner;
  for (const std::string_view line : split(trace, '\n')) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view head = line.substr(0, colon);
    const std::string_view rest = trimmed(line.substr(colon + 1));
    if (head.starts_with("layout ")) {
      winner.layouts.push_back(parse_layout(trimmed(head.substr(7)), rest));
    } else if (head == "algorithm") {
      winner.algorithm = rest;
    } else if (head.starts_with("loops")) {
      // The loops of a separate stage name it: "loops X.pad: ...".
      if (!winner.loops.empty()) winner.loops += "\n";
      winner.loops += head == "loops" ? rest : line;
    }
  }
  return winner;
}

// Names of the primitives in a text, each once, in the order of their first use.
std::vector<std::string> primitives_in(std::string_view text) {
  std::vector<std::string> names;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '(') continue;
    size_t begin = i;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    const std::string name(text.substr(begin, i - begin));
    if (!name.empty() && !contains(names, name)) names.push_back(name);
  }
  return names;
}

std::vector<Winner> winners_of(const CampaignData& data) {
  std::vector<Winner> winners;
  for (const TaskData& task : data.tasks)
    if (task.best() != nullptr) winners.push_back(parse_winner(task.best_trace));
  return winners;
}

NumberCell winners_cell(int64_t count) {
  return count == 0 ? number_cell(std::nullopt, 0) : count_cell(count);
}

struct TensorCounts {
  int64_t winners = 0;
  int64_t plain = 0;
  std::map<std::string, int64_t> primitives;
  std::map<std::string, int64_t> scopes;
};

std::string scopes_text(const std::map<std::string, int64_t>& scopes) {
  std::vector<std::string> parts;
  for (const auto& [scope, count] : scopes) parts.push_back(fmt::format("{} {}", count, scope));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

DataTable layout_table(const CampaignData& data) {
  std::map<std::string, TensorCounts> tensors;
  std::vector<std::string> primitives = {"split", "reorder", "fuse", "unfold", "pad", "store_at"};
  for (const Winner& winner : winners_of(data)) {
    for (const WonLayout& layout : winner.layouts) {
      TensorCounts& counts = tensors[layout.tensor];
      counts.winners += 1;
      counts.plain += layout.primitives.empty() ? 1 : 0;
      counts.scopes[layout.scope.empty() ? "global" : layout.scope] += 1;
      for (const std::string& name : primitives_in(layout.primitives)) {
        counts.primitives[name] += 1;
        if (!contains(primitives, name)) primitives.push_back(name);
      }
    }
  }
  using Tensor = std::pair<std::string, TensorCounts>;
  std::vector<ColumnOf<Tensor>> columns = {
      {"tensor", &Tensor::first},
      {"winners", [](const Tensor& of) { return winners_cell(of.second.winners); }},
      {"unchanged", [](const Tensor& of) { return winners_cell(of.second.plain); }}};
  for (const std::string& name : primitives) {
    columns.emplace_back(name, [name](const Tensor& of) {
      const auto at = of.second.primitives.find(name);
      return winners_cell(at == of.second.primitives.end() ? 0 : at->second);
    });
  }
  columns.emplace_back("memory scope",
                       [](const Tensor& of) { return scopes_text(of.second.scopes); });
  return table_of("layouts", "Layouts that won: how many use a primitive",
                  std::vector<Tensor>(tensors.begin(), tensors.end()), columns);
}

DataTable loop_table(const CampaignData& data) {
  std::map<std::string, int64_t> counts;
  const std::vector<Winner> winners = winners_of(data);
  for (const Winner& winner : winners) {
    counts["algorithm " + (winner.algorithm.empty() ? "direct" : winner.algorithm)] += 1;
    for (const std::string& name : primitives_in(winner.loops)) counts[name] += 1;
  }
  using Choice = std::pair<std::string, int64_t>;
  const auto share = [&winners](const Choice& choice) {
    return number_cell(std::optional(100 * static_cast<double>(choice.second) /
                                     static_cast<double>(winners.size())),
                       0);
  };
  return table_of<Choice>(
      "loops", "Algorithms and loop primitives of the winners", {counts.begin(), counts.end()},
      {{"choice", &Choice::first},
       {"winners", [](const Choice& choice) { return winners_cell(choice.second); }},
       {"share (%)", share}});
}

std::string winners_html(const CampaignData& data, const MachineFacts& facts) {
  std::string html;
  for (const TaskData& task : data.tasks) {
    if (task.best() == nullptr) continue;
    const std::string name = facts.name_of(task.spec);
    const std::string title =
        fmt::format("{}{} — {}", name, name == task.spec ? "" : " = " + task.spec,
                    seconds_text(task.best()->seconds));
    const std::string trace =
        code_block(task.best_trace + "\n# dovetail show '" + task.best_name + "' --what nest");
    html += data.tasks.size() <= 3 ? paragraph(title) + trace : details(title, trace);
  }
  return html;
}

}  // namespace dovetail
