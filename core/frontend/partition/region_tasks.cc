// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/region_tasks.h"

#include <algorithm>
#include <map>

#include "core/ir/region/canonical.h"
#include "core/ir/region/task_spec.h"

namespace dovetail {
namespace {

void add_missing(const GraphNode& node, const std::string& reason, std::vector<NotTuned>& list) {
  const auto same = std::ranges::find_if(list, [&](const NotTuned& other) {
    return other.type == node.type && other.reason == reason;
  });
  if (same == list.end())
    list.push_back({node.type, reason, {node.name}});
  else
    same->nodes.push_back(node.name);
}

}  // namespace

std::vector<NotTuned> not_computed(const Partition& partition) {
  std::vector<NotTuned> list;
  for (size_t i = 0; i < partition.regions.size(); ++i)
    if (const std::string& reason = partition.regions[i].reason; !reason.empty())
      add_missing(partition.graph.nodes[i], reason, list);
  return list;
}

Result<TaskList> region_tasks(const Partition& partition, std::string_view target) {
  TaskList list{.tasks = {}, .not_tuned = not_computed(partition)};
  std::map<std::string, size_t, std::less<>> task_of_text, task_of_spec;
  for (size_t i = 0; i < partition.regions.size(); ++i) {
    const GraphNode& node = partition.graph.nodes[i];
    const NodeRegion& region = partition.regions[i];
    if (!region.reason.empty() || is_view(region)) continue;
    // Most layers have equal texts, which are recognised without canonicalising them.
    auto known = task_of_text.find(region.spec.text());
    if (known == task_of_text.end()) {
      KeyedTask spec = canonical(TRY(region.spec.value())).spec;
      const auto [entry, is_new] = task_of_spec.emplace(print(spec), list.tasks.size());
      if (is_new) list.tasks.push_back({node.name, std::move(spec), std::string(target), 0});
      known = task_of_text.emplace(region.spec.text(), entry->second).first;
    }
    ++list.tasks[known->second].weight;
  }
  return list;
}

}  // namespace dovetail
