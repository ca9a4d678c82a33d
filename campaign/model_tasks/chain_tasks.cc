// SPDX-License-Identifier: Apache-2.0
#include "campaign/model_tasks/chain_tasks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "core/base/text.h"
#include "deploy/fusion/fusible_chains.h"

namespace dovetail {

void add_chain_tasks(Workloads& workloads, const Target& target) {
  std::map<std::string, size_t> place;
  for (const Partition& parts : workloads.models) {
    for (const NodeChain& chain : fusible_chains(parts, target)) {
      KeyedTask spec = task_of(parts, chain);
      const auto [at, is_new] = place.try_emplace(spec.text, workloads.tasks.size());
      if (is_new) {
        std::vector<std::string> names;
        for (const size_t node : chain.nodes) names.push_back(parts.graph.nodes[node].name);
        workloads.from_models.insert(spec.text);
        workloads.alternatives.insert(spec.text);
        workloads.tasks.push_back({.name = fmt::format("{}", fmt::join(names, "+")),
                                   .spec = std::move(spec),
                                   .target = print(target.name),
                                   .weight = 0});
      }
      ++workloads.tasks[at->second].weight;
    }
  }
  if (!place.empty())
    workloads.notes.push_back(
        fmt::format("{} that networks may run as one region instead of three: tasks, too",
                    counted(place.size(), "chain")));
}

}  // namespace dovetail
