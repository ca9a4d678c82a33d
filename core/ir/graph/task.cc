// SPDX-License-Identifier: Apache-2.0
#include "core/ir/graph/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace dovetail {

std::vector<Task> suite_tasks(const Suite& suite, std::string_view target) {
  std::vector<Task> tasks;
  for (const SuiteEntry& entry : suite)
    tasks.push_back({entry.name, entry.spec, std::string(target), 1});
  return tasks;
}

std::string print(const NotTuned& not_tuned) {
  constexpr size_t kNamed = 4;  // a transformer may have hundreds of nodes of one type
  const size_t named = std::min(not_tuned.nodes.size(), kNamed);
  const std::string rest = named < not_tuned.nodes.size() ? " …" : "";
  return fmt::format("{} {} ({}{}): {}", not_tuned.type, not_tuned.nodes.size(),
                     fmt::join(std::span(not_tuned.nodes).first(named), " "), rest,
                     not_tuned.reason);
}

}  // namespace dovetail
