// SPDX-License-Identifier: Apache-2.0
#include "core/ir/graph/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace dovetail {
namespace {

std::string reason_of(const GraphNode& node) {
  const auto found = node.attributes.find("not_tuned");
  const auto* text =
      found == node.attributes.end() ? nullptr : std::get_if<std::string>(&found->second);
  if (text != nullptr) return *text;
  return node.operator_class == OperatorClass::unknown ? "unsupported operator" : "";
}

}  // namespace

TaskList extract_tasks(const Graph& graph, std::string_view target) {
  TaskList list;
  std::map<std::string, size_t> task_of_spec;
  std::map<std::pair<std::string, std::string>, size_t> entry_of_type;
  for (const GraphNode& node : graph.nodes) {
    if (!node.op) {
      const std::string reason = reason_of(node);
      const auto [entry, is_new] =
          entry_of_type.emplace(std::pair(node.type, reason), list.not_tuned.size());
      if (is_new) list.not_tuned.push_back({node.type, reason, {}});
      list.not_tuned[entry->second].nodes.push_back(node.name);
      continue;
    }
    const auto [entry, is_new] = task_of_spec.emplace(print(*node.op), list.tasks.size());
    if (is_new) list.tasks.push_back({node.name, *node.op, std::string(target), 0});
    ++list.tasks[entry->second].weight;
  }
  return list;
}

std::vector<Task> suite_tasks(const Suite& suite, std::string_view target) {
  std::vector<Task> tasks;
  for (const SuiteEntry& entry : suite)
    tasks.push_back({entry.name, entry.spec, std::string(target), 1});
  return tasks;
}

std::string print(const NotTuned& not_tuned) {
  constexpr size_t kNamed = 4;  // a transformer has hundreds of one kind
  const std::string reason = not_tuned.reason.empty() ? "" : ": " + not_tuned.reason;
  const size_t named = std::min(not_tuned.nodes.size(), kNamed);
  const std::string rest = named < not_tuned.nodes.size() ? " …" : "";
  return fmt::format("{} {} ({}{}){}", not_tuned.type, not_tuned.nodes.size(),
                     fmt::join(std::span(not_tuned.nodes).first(named), " "), rest, reason);
}

}  // namespace dovetail
