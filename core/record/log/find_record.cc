// SPDX-License-Identifier: Apache-2.0
//
// The names of a log's trials, and the trials by their names.
#include <algorithm>
#include <set>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/record/log/log.h"

namespace dovetail {
namespace {

// The tasks of a campaign's trials, in the order of the file.
std::vector<std::string> tried_tasks(const Log& log, int64_t campaign) {
  std::vector<std::string> tasks;
  for (const Record& record : log.records)
    if (record.campaign == campaign && std::ranges::find(tasks, record.task) == tasks.end())
      tasks.push_back(record.task);
  return tasks;
}

// The names of a task that the campaign's header has; the task itself where it has none.
std::vector<std::string> names_of(const LogHeader& header, const std::string& task) {
  std::vector<std::string> names;
  for (const Layer& layer : header.layers)
    if (layer.spec == task) names.push_back(layer.name);
  if (names.empty()) names.push_back(task);
  return names;
}

// The tasks that `name.task` may mean: all where it is empty, one by its spec, or those of a name
// that tables print. Several networks in one campaign may have a layer of the same name.
Result<std::vector<std::string>> tasks_meant(const Log& log, const LogHeader& header,
                                             const RecordName& name) {
  const std::vector<std::string> tasks = tried_tasks(log, name.campaign);
  if (name.task.empty()) return tasks;
  if (std::ranges::find(tasks, name.task) != tasks.end()) return std::vector{name.task};
  std::vector<std::string> meant, known;
  for (const std::string& task : tasks) {
    const std::vector<std::string> names = names_of(header, task);
    for (const std::string& one : names)
      if (std::ranges::find(known, one) == known.end()) known.push_back(one);
    if (std::ranges::find(names, name.task) != names.end()) meant.push_back(task);
  }
  if (!meant.empty()) return meant;
  return fail("{}: no task '{}' in campaign {} of {}; expected one of: {}, or its operator{}",
              print(name), name.task, name.campaign, log.path, first_names(known),
              did_you_mean(name.task, known));
}

// "which has 20 trials"; of a log that keeps only some of them, with the last one's number.
std::string trials_there(const Log& log, int64_t campaign, const std::vector<std::string>& tasks) {
  size_t most = 0;
  int64_t last = 0;
  for (const std::string& task : tasks) {
    std::set<int64_t> trials;
    for (const Record& record : log.records)
      if (record.kind == RecordKind::trial && record.campaign == campaign && record.task == task)
        trials.insert(record.trial);
    most = std::max(most, trials.size());
    if (!trials.empty()) last = std::max(last, *trials.rbegin());
  }
  const std::string count = counted(most, "trial");
  const std::string there =
      tasks.size() == 1 ? "which has " + count : "whose tasks have at most " + count + " each";
  const bool thinned = last > static_cast<int64_t>(most);
  return thinned ? fmt::format("{}, the last with number {}", there, last) : there;
}

}  // namespace

RecordName name_of(const Log& log, const Record& record) {
  const bool several = tried_tasks(log, record.campaign).size() > 1;
  return {log.path, record.campaign, record.trial, several ? record.task : ""};
}

Result<Record> find_record(const Log& log, const RecordName& name) {
  const LogHeader* header = log.header_of(name.campaign);
  if (header == nullptr)
    return fail("{}: no campaign {} in {}, which has {}", print(name), name.campaign, log.path,
                log.headers.size());
  const std::vector<std::string> tasks = TRY(tasks_meant(log, *header, name));
  std::vector<const Record*> found;
  for (const Record& record : log.records)
    if (record.kind == RecordKind::trial && record.campaign == name.campaign &&
        record.trial == name.trial && std::ranges::find(tasks, record.task) != tasks.end())
      found.push_back(&record);
  if (found.size() == 1) return *found.front();
  if (found.empty())
    return fail("{}: no such trial in campaign {} of {}, {}", print(name), name.campaign, log.path,
                trials_there(log, name.campaign, tasks));
  RecordName whole = name;
  whole.task = found.front()->task;
  return fail("{} names {} records, one per task; expected one, as in {}", print(name),
              found.size(), print(whole));
}

}  // namespace dovetail
