// SPDX-License-Identifier: Apache-2.0
#include "campaign/recorded_tasks.h"

#include <algorithm>
#include <map>
#include <set>

#include "campaign/cache_choice.h"
#include "campaign/recorded_target.h"
#include "core/backends/backends.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/region/region_text.h"
#include "core/record/line/log_header.h"
#include "core/record/log/thinned_log.h"
#include "core/record/log/timed_caches.h"
#include "deploy/network/lower_network.h"

namespace dovetail {
namespace {

// Lowers a record's trace. If this version or device rejects it, it becomes a miss with the reason.
std::optional<Candidate> recorded_candidate(const TaskSpec& spec, RecordMatch& match,
                                            const Target& target) {
  if (match.level == MatchLevel::none) return std::nullopt;
  const Result<Trace>& trace = match.best->record.trace.value();
  Result<Candidate> candidate =
      trace ? materialize(spec, target, *trace) : fail(trace.error().message);
  if (candidate) return *std::move(candidate);
  match = {.level = MatchLevel::none,
           .best = std::nullopt,
           .name = {},
           .explanation = fmt::format("{}: {}", match.name, candidate.error().message),
           .differences = candidate.error().message};
  return std::nullopt;
}

Result<Candidate> default_candidate(const TaskSpace& space, const Target& target) {
  return materialize(space.space.spec(), target, space.space.default_trace());
}

Result<Candidate> candidate_of(const TaskSpace& space, RecordMatch& match, const Target& target) {
  std::optional<Candidate> recorded = recorded_candidate(space.space.spec(), match, target);
  return recorded ? *std::move(recorded) : default_candidate(space, target);
}

TaskQuery query_of(const std::string& spec, const Target& target, Caches caches) {
  return {
      .task = spec, .target = print(target.name), .device = facets_of(target), .caches = caches};
}

Result<Log> with_notes(Result<Log> log, const Listener& listener) {
  if (log)
    for (const LogWarning& warning : log->warnings) listener.note(print(warning, log->path));
  return log;
}

Result<Log> read_with_notes(const std::string& path, const Listener& listener) {
  return with_notes(read_log(path), listener);
}

// Times of several cache states are fine where --cache or a model decides between them.
Result<Caches> wanted_caches(const std::string& cache, const RecordedTasks& tasks) {
  if (!cache.empty()) return chosen_caches(cache, tasks.workloads, tasks.target);
  if (!has_cache_states(tasks.target)) return Caches::hot;  // whatever a CPU's log was timed in
  const Result<Caches> only = caches_of({&tasks.log, 1});
  if (only || !tasks.workloads.working_set_bytes) return only;
  return caches_of_network(*tasks.workloads.working_set_bytes, tasks.target);
}

void note_other_caches(const RecordedTasks& asked, const std::vector<RecordMatch>& matches,
                       const std::string& log, const Listener& listener) {
  std::map<Caches, int64_t> others;
  for (const RecordMatch& match : matches)
    if (match.best && match.best->record.caches != asked.caches)
      ++others[match.best->record.caches];
  for (const auto& [caches, count] : others) {
    listener.note(fmt::format("{}: {} of {} tasks have times of {} caches, and none of {} ones",
                              log, count, matches.size(), print(caches), print(asked.caches)));
  }
}

Result<std::vector<RecordedTask>> match_tasks(const RecordedTasks& asked, const Log& log,
                                              const Listener& listener) {
  std::vector<TaskQuery> queries;
  for (const TaskSpace& space : asked.spaces)
    queries.push_back(query_of(space.task.spec.text, asked.target, asked.caches));
  std::vector<RecordMatch> matches = best_records(log, queries);
  note_other_caches(asked, matches, log.path, listener);
  std::vector<RecordedTask> tasks;
  for (size_t i = 0; i < matches.size(); ++i) {
    Candidate candidate = TRY(candidate_of(asked.spaces[i], matches[i], asked.target));
    tasks.push_back({.space = &asked.spaces[i],
                     .match = std::move(matches[i]),
                     .candidate = std::move(candidate)});
  }
  return tasks;
}

bool has_trace(const Record& record, const std::function<bool(const Trace&)>& wanted) {
  const Result<Trace>& trace = record.trace.value();
  return trace && wanted(*trace);
}

// A task's best record with a trace that `wanted` accepts.
RecordMatch best_with_trace(const Log& log, const TaskQuery& query,
                            const std::function<bool(const Trace&)>& wanted) {
  // Confirmations have no trace of their own; their trial is filtered by its trace.
  return best_record(log, query, [&](const Record& record) {
    return record.task == query.task && (record.trace.empty() || has_trace(record, wanted));
  });
}

Result<std::vector<RecordedTask>> given_tasks(const RecordedTasks& asked, const Trace& trace) {
  std::vector<RecordedTask> tasks;
  for (const TaskSpace& space : asked.spaces) {
    Result<Candidate> candidate = materialize(space.space.spec(), asked.target, trace);
    if (!candidate) return fail("{}: {}", space.task.spec.text, candidate.error().message);
    tasks.push_back(
        {.space = &space, .match = {}, .candidate = std::move(*candidate), .is_given = true});
  }
  return tasks;
}

// Regions of the log's tasks, without borders. A campaign may have tuned only some of a model's.
std::set<std::string> regions_tuned(const Log& log) {
  std::set<std::string> regions;
  const auto add = [&](const std::string& task) {
    regions.insert(task.substr(0, task.find(" | ")));
  };
  for (const LogHeader& campaign : log.headers)
    std::ranges::for_each(tasks_of(campaign.options), add);
  for (const Record& record : log.records) add(record.task);
  return regions;
}

// Number of a model's regions that the log has, minus the number that it lacks.
Result<int64_t> regions_kept(const Graph& graph, const PartitionOptions& options,
                             const std::set<std::string>& tuned) {
  const TaskList list = TRY(region_tasks(TRY(partition(graph, options)), "cpu"));
  const int64_t found = std::ranges::count_if(
      list.tasks, [&](const Task& task) { return tuned.contains(print(task.spec.region)); });
  return 2 * found - std::ssize(list.tasks);
}

}  // namespace

Result<Trace> read_trace(const std::string& path) {
  const bool is_stdin = path == "-";
  const std::string text = TRY(is_stdin ? read_stdin("a trace") : read_file(path));
  Result<Trace> trace = parse_trace(text);
  if (trace) return trace;
  return fail("{}: {}", is_stdin ? "stdin" : path, trace.error().message);
}

std::string variant_of(const LogHeader& campaign) {
  const auto found = campaign.options.find("variant");
  const auto* variant =
      found == campaign.options.end() ? nullptr : std::get_if<std::string>(&found->second);
  return variant == nullptr ? "joint" : *variant;
}

Result<PartitionOptions> partition_of(const Log& log, const Graph& graph) {
  if (log.headers.empty()) return PartitionOptions();
  return as_tuned(partition_options(variant_of(log.headers.back())), log, graph);
}

Result<PartitionOptions> as_tuned(PartitionOptions wanted, const Log& log, const Graph& graph) {
  const std::set<std::string> tuned = regions_tuned(log);
  if (!wanted.tails || tuned.empty()) return wanted;
  PartitionOptions by_name = wanted;
  by_name.tail_values = false;
  const int64_t kept = TRY(regions_kept(graph, wanted, tuned));
  return TRY(regions_kept(graph, by_name, tuned)) > kept ? by_name : wanted;
}

Result<RecordedTasks> read_recorded_tasks(const RecordedTasksOptions& options,
                                          const Listener& listener) {
  RecordedTasks tasks;
  if (options.log) tasks.log = TRY(read_with_notes(*options.log, listener));
  tasks.workloads =
      TRY(read_workloads(options.workloads, options.target, options.inputs, options.border,
                         [&](const Graph& graph) { return partition_of(tasks.log, graph); }));
  tasks.target = TRY(resolve_target(options.target));
  TRY(require_runnable(tasks.target));
  tasks.spaces = TRY(build_spaces(tasks.workloads, tasks.target, {}));
  tasks.caches = TRY(wanted_caches(options.cache, tasks));
  if (options.trace)
    tasks.tasks = TRY(given_tasks(tasks, *options.trace));
  else
    tasks.tasks = TRY(options.log ? match_tasks(tasks, tasks.log, listener) : default_tasks(tasks));
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
  return match_tasks(asked, TRY(read_with_notes(path, listener)), listener);
}

Result<Candidate> best_of(const RecordedTasks& tasks, const TaskSpace& space,
                          const std::function<bool(const Trace&)>& wanted) {
  RecordMatch match = best_with_trace(
      tasks.log, query_of(space.task.spec.text, tasks.target, tasks.caches), wanted);
  return candidate_of(space, match, tasks.target);
}

RecordMatch match_of_trace(const KeyedTask& task, const Trace& trace, const Target& target,
                           const Log& log, Caches caches) {
  RecordMatch match = best_with_trace(log, query_of(task.text, target, caches),
                                      [&](const Trace& own) { return own == trace; });
  if (match.level != MatchLevel::none) return match;
  RecordMatch of_any = best_record(log, query_of(task.text, target, caches));
  if (of_any.level == MatchLevel::none) return of_any;  // explained by the nearest
  match.explanation = fmt::format("{} has no record of this trace", log.path);
  match.differences = match.explanation;
  match.nearest = of_any.name;
  return match;
}

Result<Candidate> best_with_border(const RecordedTasks& tasks, const RecordedTask& task,
                                   const Border& border) {
  const KeyedTask spec(task.space->task.spec.region, border);
  RecordMatch match = best_record(tasks.log, query_of(spec.text, tasks.target, tasks.caches));
  const bool has_none = match.level == MatchLevel::none;
  if (has_none && task.match.level == MatchLevel::none)
    return materialize(spec, tasks.target, TRY(build_space(spec, tasks.target)).default_trace());
  if (has_none) return materialize(spec, tasks.target, task.candidate.trace);
  std::optional<Candidate> recorded = recorded_candidate(spec, match, tasks.target);
  if (!recorded) return fail(match.explanation);
  return *std::move(recorded);
}

Result<std::optional<Log>> read_log_of_run(const std::string& path, const Listener& listener,
                                           bool exact) {
  if (path.empty()) return std::optional<Log>();
  return std::optional<Log>(TRY(with_notes(read_thinned(path, {.exact = exact}), listener)));
}

Result<RegionTrace> trace_for(const KeyedTask& task, const Target& target,
                              const std::optional<Log>& log, Caches caches,
                              const Listener& listener, const AllowsAlgorithm& allows) {
  RegionTrace chosen;
  std::optional<Candidate> recorded;
  if (log) {
    const std::string& spec = task.text;
    const TaskQuery query = query_of(spec, target, caches);
    chosen.match = best_record(*log, query);
    const auto is_allowed = [&](const Trace& trace) { return allows(task, trace.algorithm); };
    const auto is_not_allowed = [&](const Trace& trace) { return !is_allowed(trace); };
    if (chosen.match.best && has_trace(chosen.match.best->record, is_not_allowed))
      chosen.match = best_with_trace(*log, query, is_allowed);
    recorded = recorded_candidate(task, chosen.match, target);
    if (const RecordMatch& match = chosen.match; match.level != MatchLevel::exact)
      listener.note(fmt::format("{}: {}: {}", spec, print(match.level), match.explanation));
  }
  Candidate candidate =
      recorded ? *std::move(recorded)
               : TRY(materialize(task, target, TRY(default_traces(target, allows)(task))));
  chosen.trace = std::move(candidate.trace);
  chosen.program = std::move(candidate.program);
  return chosen;
}

Result<std::optional<RegionTrace>> random_trace_for(const TaskSpec& task, const Target& target,
                                                    uint64_t seed) {
  constexpr int kTries = 64;  // draws to find a legal point other than the default
  const Space space = TRY(build_space(task, target));
  std::mt19937_64 numbers(seed);
  for (int i = 0; i < kTries; ++i) {
    const Point point = space.sample(numbers);
    if (point == space.default_point()) continue;
    Result<Candidate> candidate = materialize(task, target, space.decode(point));
    if (!candidate) continue;
    return std::optional(RegionTrace{.trace = std::move(candidate->trace),
                                     .program = std::move(candidate->program),
                                     .match = {}});
  }
  return std::optional<RegionTrace>();
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
  listener.note(fmt::format("{}: {} exact, {} family, {} default", counted(tasks.size(), "task"),
                            exact, family, tasks.size() - exact - family));
  return exact < tasks.size();
}

void for_each_asked(const RecordedTasks& tasks, const VisitAsked& visit) {
  for (const Task& asked : tasks.workloads.tasks) {
    for (size_t i = 0; i < tasks.tasks.size(); ++i)
      if (tasks.tasks[i].space->task.spec.text == asked.spec.text)
        visit(asked.name, i, asked.weight);
  }
}

}  // namespace dovetail
