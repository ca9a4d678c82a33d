// SPDX-License-Identifier: Apache-2.0
#include "campaign/model_tasks/placed_tasks.h"

#include <map>
#include <set>
#include <utility>

#include "deploy/layouts/choose_layouts.h"

namespace dovetail {

Result<Workloads> placed_tasks(const Workloads& known, const Target& target,
                               const TracesOfTask& traces_of) {
  const TraceOfTask trace_of = [&](const KeyedTask& task) -> Result<Trace> {
    return TRY(traces_of(task)).front().trace;
  };
  std::set<std::string> have;
  std::set<std::string> names;
  for (const Task& task : known.tasks) {
    have.insert(task.spec.text);
    names.insert(task.name);
  }
  Workloads placed;
  std::map<std::string, size_t> place;
  for (const Partition& parts : known.models) {
    const NetworkChoice choice = TRY(propagated(parts, target, traces_of));
    const LoweredNetwork lowered = TRY(lower_network(parts, target, trace_of, choice));
    for (size_t s = 0; s < lowered.steps.size(); ++s) {
      const KeyedTask& spec = lowered.steps[s].task;
      if (have.contains(spec.text)) continue;
      const auto [at, is_new] = place.try_emplace(spec.text, placed.tasks.size());
      if (is_new) {
        placed.from_models.insert(spec.text);
        placed.tasks.push_back({.name = lowered.program.calls[s].name,
                                .spec = spec,
                                .target = print(target.name),
                                .weight = 0});
      }
      ++placed.tasks[at->second].weight;
    }
  }
  make_names_distinct(placed.tasks, std::move(names));
  return placed;
}

}  // namespace dovetail
