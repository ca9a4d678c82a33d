// SPDX-License-Identifier: Apache-2.0
#include "dovetail/task.h"

#include <utility>

#include "core/frontend/partition/region_tasks.h"
#include "core/ir/region/task_spec.h"
#include "dovetail/handles/model_data.h"

namespace dovetail::api {
namespace {

Task handle_of(dovetail::Task task) {
  return Task(std::make_shared<const Task::Data>(Task::Data{std::move(task)}));
}

}  // namespace

Result<Task> Task::parse(std::string_view spec) {
  dovetail::Task task{.name = {}, .spec = TRY(parse_task_spec(spec)), .target = {}};
  task.name = print(task.spec);
  return handle_of(std::move(task));
}

const std::string& Task::name() const { return data_->task.name; }
std::string Task::spec() const { return print(data_->task.spec); }
int64_t Task::weight() const { return data_->task.weight; }

Result<std::vector<Task>> tasks_of(const Model& model) {
  TRY(check_supported(model.data().graph));
  TaskList list = TRY(region_tasks(TRY(partition(model.data().graph)), {}));
  std::vector<Task> tasks;
  for (dovetail::Task& task : list.tasks) tasks.push_back(handle_of(std::move(task)));
  return tasks;
}

}  // namespace dovetail::api
