// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench_beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace dovetail {
namespace {

Result<Beside> read_one(const std::string& name, const std::string& log,
                        const RecordedTasks& recorded) {
  Beside beside{.name = name, .tasks = {}};
  if (log == kNone) {
    for (RecordedTask& task : TRY(default_tasks(recorded)))
      beside.tasks.emplace_back(std::move(task));
    return beside;
  }
  for (RecordedTask& task : TRY(tasks_in(recorded, log))) {
    if (task.match.level == MatchLevel::none) {
      std::fprintf(stderr, "dovetail: %s: nothing from %s beside it: %s\n",
                   task.space->task.name.c_str(), name.c_str(), task.match.explanation.c_str());
      beside.tasks.emplace_back();
    } else {
      beside.tasks.emplace_back(std::move(task));
    }
  }
  return beside;
}

}  // namespace

Result<std::vector<Beside>> read_beside(const std::vector<std::string>& given,
                                        const RecordedTasks& recorded) {
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
    all.push_back(TRY(read_one(name, text.substr(equals + 1), recorded)));
  }
  return all;
}

}  // namespace dovetail
