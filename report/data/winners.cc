// SPDX-License-Identifier: Apache-2.0
#include "report/data/winners.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/ir/layout/normal_form.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "primitives/layout/apply_layout.h"
#include "report/charts/scale.h"
#include "report/data/layout_name.h"
#include "report/pages/page.h"

namespace dovetail {
namespace {

struct Winner {
  std::string algorithm = {};  // empty: direct
  std::string loops = {};
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

bool is_word(char byte) {
  return (byte >= 'a' && byte <= 'z') || byte == '_' || (byte >= '0' && byte <= '9');
}

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

//   parse_winner("algorithm: winograd(tile=2)\nloops: vectorize(o.1) ; parallel(o.0.0)\n")
//     algorithm "winograd(tile=2)", loops "vectorize(o.1) ; parallel(o.0.0)"
Winner parse_winner(std::string_view trace) {
  Winner winner;
  for (const std::string_view line : split(trace, '\n')) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view head = line.substr(0, colon);
    const std::string_view rest = trimmed(line.substr(colon + 1));
    if (head == "algorithm") {
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

enum class TensorUse { output, input, constant };

struct WonName {
  TensorUse use = TensorUse::output;
  std::string layout = {};
  std::vector<std::string> tasks = {};
};

TensorUse use_of(const Tensor& tensor) {
  if (tensor.role == TensorRole::output) return TensorUse::output;
  return tensor.role == TensorRole::constant ? TensorUse::constant : TensorUse::input;
}

std::string_view use_name(TensorUse use) {
  constexpr std::string_view kNames[] = {"output", "input", "constant"};
  return kNames[static_cast<size_t>(use)];
}

// "not read": primitives of another version.
std::string name_of_layout(const Trace& trace, const Tensor& tensor) {
  std::vector<std::string> dims;
  for (const LogicalDim& dim : tensor.dims) dims.push_back(dim.name);
  const auto lines = std::ranges::find(trace.layouts, tensor.name, &TensorLayout::tensor);
  Result<Layout> layout = identity_layout(tensor.dims);
  if (lines != trace.layouts.end()) layout = apply_all(*lines, *layout);
  if (!layout) return "not read";
  layout->times = 1;
  if (!layout->guests.empty()) return "with another tensor inside";
  return layout_name(print(normal_form(*layout), tensor.dims), letters_of(dims));
}

// Vectors have no layout to choose.
bool is_vector(const Tensor& tensor) {
  return std::ranges::count_if(tensor.dims, [](const LogicalDim& dim) { return dim.extent > 1; }) <
         2;
}

std::vector<WonName> won_names(const CampaignData& data, const MachineFacts& facts) {
  std::map<std::pair<TensorUse, std::string>, std::vector<std::string>> tasks;
  for (const TaskData& task : data.tasks) {
    const auto spec = parse_task_spec(task.spec);
    const auto trace = parse_trace(task.best_trace);
    if (task.best() == nullptr || !spec || !trace) continue;
    for (const Tensor& tensor : tensors_of(spec->region)) {
      if (is_inner(spec->region, tensor.name) || is_vector(tensor)) continue;
      std::vector<std::string>& of = tasks[{use_of(tensor), name_of_layout(*trace, tensor)}];
      const std::string name = facts.name_of(task.spec);
      if (!contains(of, name)) of.push_back(name);
    }
  }
  std::vector<WonName> names;
  for (auto& [key, of] : tasks) names.push_back({key.first, key.second, std::move(of)});
  std::ranges::stable_sort(names, [](const WonName& a, const WonName& b) {
    return std::pair(a.use, b.tasks.size()) < std::pair(b.use, a.tasks.size());
  });
  return names;
}

// "conv1, conv2, fc and 4 more"
std::string first_of(const std::vector<std::string>& names) {
  constexpr size_t kShown = 3;
  const auto end = names.begin() + static_cast<ptrdiff_t>(std::min(names.size(), kShown));
  const std::string shown = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return names.size() <= kShown ? shown
                                : fmt::format("{} and {} more", shown, names.size() - kShown);
}

}  // namespace

DataTable layout_table(const CampaignData& data, const MachineFacts& facts) {
  const std::vector<WonName> names = won_names(data, facts);
  const auto share = [&names](const WonName& name) {
    size_t all = 0;
    for (const WonName& other : names)
      if (other.use == name.use) all += other.tasks.size();
    return number_cell(
        std::optional(100 * static_cast<double>(name.tasks.size()) / static_cast<double>(all)), 0);
  };
  return table_of<WonName>("layouts", "Layouts that won: which, and how often", names,
                           {{"layout", &WonName::layout},
                            {"of an", [](const WonName& name) { return use_name(name.use); }},
                            {"tasks", [](const WonName& name) { return std::ssize(name.tasks); }},
                            {"share (%)", share},
                            {"which", [](const WonName& name) { return first_of(name.tasks); }}});
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
