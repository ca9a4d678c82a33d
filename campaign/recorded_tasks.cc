// SPDX-License-Identifier: Apache-2.0
#include "campaign/recorded_tasks.h"

#include <fmt/format.h>

#include "campaign/resolve_target.h"
#include "campaign/workload_border.h"
#include "core/record/line/log_header.h"

namespace dovetail {
namespace {

Result<Candidate> recorded_candidate(const TaskSpace& space, const RecordMatch& match,
                                     const Target& target) {
  return materialize(space.space.spec(), target, TRY(parse_trace(match.best->record.trace)));
}

Result<Candidate> default_candidate(const TaskSpace& space, const Target& target) {
  return materialize(space.space.spec(), target, space.space.default_trace());
}

// A record whose trace this version or this device refuses is a miss, and says why.
Result<Candidate> candidate_of(const TaskSpace& space, RecordMatch& match, const Target& target) {
  if (match.level != MatchLevel::none) {
    Result<Candidate> candidate = recorded_candidate(space, match, target);
    if (candidate) return candidate;
    match = {.level = MatchLevel::none,
             .best = std::nullopt,
             .name = {},
             .explanation = fmt::format("{}: {}", match.name, candidate.error().message)};
  }
  return default_candidate(space, target);
}

TaskQuery query_of(const TaskSpace& space, const Target& target) {
  return {.task = space.spec, .target = print(target.name), .device = facets_of(target)};
}

Result<std::vector<RecordedTask>> match_tasks(const RecordedTasks& asked, const Log& log) {
  std::vector<TaskQuery> queries;
  for (const TaskSpace& space : asked.spaces) queries.push_back(query_of(space, asked.target));
  std::vector<RecordMatch> matches = best_records(log, queries);
  std::vector<RecordedTask> tasks;
  for (size_t i = 0; i < matches.size(); ++i) {
    Candidate candidate = TRY(candidate_of(asked.spaces[i], matches[i], asked.target));
    tasks.push_back({.space = &asked.spaces[i],
                     .match = std::move(matches[i]),
                     .candidate = std::move(candidate)});
  }
  return tasks;
}

Result<std::vector<RecordedTask>> given_tasks(const RecordedTasks& asked, const Trace& trace) {
  std::vector<RecordedTask> tasks;
  for (const TaskSpace& space : asked.spaces) {
    Result<Candidate> candidate = materialize(space.space.spec(), asked.target, trace);
    if (!candidate) return fail(fmt::format("{}: {}", space.spec, candidate.error().message));
    tasks.push_back(
        {.space = &space, .match = {}, .candidate = std::move(*candidate), .is_given = true});
  }
  return tasks;
}

}  // namespace

Result<Log> read_log_aloud(const std::string& path, const Listener& listener) {
  Log log = TRY(read_log(path));
  for (const LogWarning& warning : log.warnings) listener.note(print(warning, log.path));
  return log;
}

Result<RecordedTasks> read_recorded_tasks(const RecordedTasksOptions& options,
                                          const Listener& listener) {
  RecordedTasks tasks;
  const std::string target = print(TRY(parse_target_name(options.target)));
  tasks.workloads = TRY(read_workloads(options.workloads, target, options.shapes));
  TRY(state_borders(options.border, tasks.workloads));
  tasks.target = TRY(resolve_target(options.target));
  TRY(require_runnable(tasks.target));
  tasks.spaces = TRY(build_spaces(tasks.workloads, tasks.target, {}));
  if (options.log) tasks.log = TRY(read_log_aloud(*options.log, listener));
  tasks.caches = TRY(caches_of({&tasks.log, 1}));  // before the best of its times is asked for
  if (options.trace) {
    tasks.tasks = TRY(given_tasks(tasks, *options.trace));
  } else {
    tasks.tasks = TRY(options.log ? match_tasks(tasks, tasks.log) : default_tasks(tasks));
  }
  return tasks;
}

Result<std::vector<RecordedTask>> default_tasks(const RecordedTasks& asked) {
  std::vector<RecordedTask> tasks;
  for (const TaskSpace& space : asked.spaces) {
    Candidate candidate = TRY(default_candidate(space, asked.target));
    tasks.push_back({.space = &space, .match = {}, .candidate = std::move(candidate)});
  }
  return tasks;
}

Result<std::vector<RecordedTask>> tasks_in(const RecordedTasks& asked, const std::string& path,
                                           const Listener& listener) {
  const Log log = TRY(read_log_aloud(path, listener));
  TRY(caches_of({&log, 1}));
  return match_tasks(asked, log);
}

Result<RecordedTask> best_of(const RecordedTasks& tasks, const TaskSpace& space,
                             const std::function<bool(const Trace&)>& wanted) {
  Log log;
  log.path = tasks.log.path;
  log.headers = tasks.log.headers;
  for (const Record& record : tasks.log.records) {
    if (record.task != space.spec) continue;
    const Result<Trace> trace = parse_trace(record.trace);
    // Confirmations repeat no trace; they belong to a trial that is judged by its own.
    if (record.trace.empty() || (trace && wanted(*trace))) log.records.push_back(record);
  }
  RecordMatch match = best_record(log, query_of(space, tasks.target));
  Candidate candidate = TRY(candidate_of(space, match, tasks.target));
  return RecordedTask{
      .space = &space, .match = std::move(match), .candidate = std::move(candidate)};
}

Result<Candidate> best_with_border(const RecordedTasks& tasks, const RecordedTask& task,
                                   const Border& border) {
  const TaskSpec spec(task.space->task.spec.region, border);
  TaskQuery query = query_of(*task.space, tasks.target);
  query.task = print(spec);
  const RecordMatch match = best_record(tasks.log, query);
  if (match.level != MatchLevel::none) {
    const Result<Trace> trace = parse_trace(match.best->record.trace);
    if (trace) {
      Result<Candidate> candidate = materialize(spec, tasks.target, *trace);
      if (candidate) return candidate;
    }
  }
  return materialize(spec, tasks.target, task.candidate.trace);
}

bool note_misses(const std::vector<RecordedTask>& tasks, const Listener& listener) {
  size_t exact = 0, family = 0;
  for (const RecordedTask& task : tasks) {
    exact += task.match.level == MatchLevel::exact;
    family += task.match.level == MatchLevel::family;
    if (task.match.level == MatchLevel::exact) continue;
    listener.note(fmt::format("{}: {}: {}", task.space->task.name, print(task.match.level),
                              task.match.explanation));
  }
  listener.note(fmt::format("{} tasks: {} exact, {} family, {} default", tasks.size(), exact,
                            family, tasks.size() - exact - family));
  return exact < tasks.size();
}

void for_each_asked(const RecordedTasks& tasks,
                    const std::function<void(const std::string& name, size_t task)>& visit) {
  for (const Task& asked : tasks.workloads.tasks) {
    const std::string spec = print(asked.spec);
    for (size_t i = 0; i < tasks.tasks.size(); ++i) {
      if (tasks.tasks[i].space->spec == spec) visit(asked.name, i);
    }
  }
}

}  // namespace dovetail
