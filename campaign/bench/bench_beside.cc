// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench_beside.h"

#include <fmt/format.h>

#include <algorithm>

namespace dovetail {
namespace {

Result<Beside> read_one(const std::string& name, const std::string& log,
                        const RecordedTasks& recorded, const Listener& listener) {
  Beside beside{.name = name, .tasks = {}};
  if (log == kNone) {
    for (RecordedTask& task : TRY(default_tasks(recorded)))
      beside.tasks.emplace_back(std::move(task));
    return beside;
  }
  for (RecordedTask& task : TRY(tasks_in(recorded, log, listener))) {
    if (task.match.level == MatchLevel::none) {
      listener.note(fmt::format("{}: nothing from {} beside it: {}", task.space->task.name, name,
                                task.match.explanation));
      beside.tasks.emplace_back();
    } else {
      beside.tasks.emplace_back(std::move(task));
    }
  }
  return beside;
}

}  // namespace

Result<std::vector<Beside>> read_beside(const std::vector<std::string>& given,
                                        const RecordedTasks& recorded, const Listener& listener) {
  std::vector<Beside> all;
  for (const std::string& text : given) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
      return fail(fmt::format("bench: --beside {}: expected NAME=LOG", text));
    }
    const std::string name = text.substr(0, equals);
    if (std::ranges::find(all, name, &Beside::name) != all.end()) {
      return fail(fmt::format("bench: --beside {}: the name {} is given twice", text, name));
    }
    all.push_back(TRY(read_one(name, text.substr(equals + 1), recorded, listener)));
  }
  return all;
}

}  // namespace dovetail
