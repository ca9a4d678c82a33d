// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/untried_regions.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/region/task_spec.h"

namespace dovetail {
namespace {

std::string_view device_kind(std::string_view target) { return target.substr(0, target.find(':')); }

}  // namespace

Result<std::string> note_on_untried(const Partition& parts, const Log& log,
                                    const std::string& target) {
  std::set<std::string_view> tried;
  for (const Record& record : log.records)
    if (device_kind(record.target) == device_kind(target)) tried.insert(record.task);
  const TaskList list = TRY(region_tasks(parts, target));
  std::vector<std::string> untried;
  for (const Task& task : list.tasks)
    if (!tried.contains(task.spec.text)) untried.push_back(task.name);
  if (untried.empty()) return std::string();
  return fmt::format("{} of {} regions have no trial in {}, and run with default traces: {}",
                     untried.size(), list.tasks.size(), log.path, first_names(untried));
}

}  // namespace dovetail
