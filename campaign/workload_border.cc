// SPDX-License-Identifier: Apache-2.0
#include "campaign/workload_border.h"

#include <fmt/format.h>

#include "core/base/files.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

void set_border(const Border& border, Task& task, Workloads& workloads) {
  const std::string before = print(task.spec);
  task.spec.border = border;
  if (workloads.from_models.erase(before) > 0) workloads.from_models.insert(print(task.spec));
}

void state_framework(Workloads& workloads) {
  for (Task& task : workloads.tasks)
    set_border(framework_border(task.spec.region), task, workloads);
}

Result<void> state_line(const std::string& where, std::string_view line, Workloads& workloads) {
  Result<TaskSpec> spec = parse_task_spec(line);
  if (!spec) return fail(where + ": " + spec.error().message);
  if (spec->border.is_free())
    return fail(fmt::format("{}: found a spec alone, expected SPEC | TENSOR as LAYOUT; …", where));
  bool found = false;
  for (Task& task : workloads.tasks) {
    if (!(task.spec.region == spec->region)) continue;
    set_border(spec->border, task, workloads);
    found = true;
  }
  if (found) return {};
  return fail(fmt::format("{}: {} is no task of the workload", where, print(spec->region)));
}

}  // namespace

Result<void> state_borders(const std::string& border, Workloads& workloads) {
  if (border.empty()) return {};
  if (border == "framework") {
    state_framework(workloads);
    return {};
  }
  const std::string text = TRY(read_file(border, "framework, or a file with a border a line"));
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = line.substr(0, line.find('#'));
    const bool is_blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (!is_blank) TRY(state_line(fmt::format("{}:{}", border, number), line, workloads));
  }
  return {};
}

}  // namespace dovetail
