// SPDX-License-Identifier: Apache-2.0
#pragma once

// RecordedTasks: the tasks of some workloads, each with its best trace in a log, lowered; the
// default trace where the log has none. `replay` and `bench` start from them.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "campaign/workloads.h"
#include "core/base/result.h"
#include "core/record/line/caches.h"
#include "core/record/log/best_record.h"
#include "primitives/algorithm/allowed_algorithms.h"
#include "search/candidate.h"

namespace dovetail {

// read_trace: parses a trace in the form that `dovetail show --what trace` prints.
//
//   read_trace("mine.txt")     read_trace("-")     from stdin, as at the end of a pipe
//
// The error names file, line and column.
Result<Trace> read_trace(const std::string& path);

struct RecordedTask {
  const TaskSpace* space = nullptr;  // points into RecordedTasks::spaces
  RecordMatch match;
  Candidate candidate;
  bool is_given = false;  // the trace was passed in by the caller
};

struct RecordedTasks {
  Target target;
  Workloads workloads;
  std::vector<TaskSpace> spaces;
  std::vector<RecordedTask> tasks;  // one per distinct spec
  Log log;
  Caches caches = Caches::hot;  // state whose times are preferred
};

struct RecordedTasksOptions {
  std::vector<std::string> workloads;
  std::string target;
  std::optional<std::string> log;   // none: default traces on purpose, not as misses
  std::optional<Trace> trace = {};  // without a log: for every task, instead of the default
  ModelInputs inputs = {};
  std::string border = {};  // as read_workloads() takes it
  std::string cache = {};   // campaign/cache_choice.h; empty: that of the log's records
};

// The search variant of a campaign.
std::string variant_of(const LogHeader& campaign);

// Partitions a model as the log's last campaign did; without one, as `joint` does.
Result<PartitionOptions> partition_of(const Log& log, const Graph& graph);

// Adapts `wanted` to a log written before tails were values (core/frontend/partition/tails.h):
// turns tail values off if the log then has more of the regions, or lacks fewer.
Result<PartitionOptions> as_tuned(PartitionOptions wanted, const Log& log, const Graph& graph);

// Notes the log's warnings, and tasks whose record has another cache state than wanted. Fails on
// bad input, such as a log with hot and cold times where neither --cache nor a model decides, or a
// given trace that is illegal for a task.
Result<RecordedTasks> read_recorded_tasks(const RecordedTasksOptions& options,
                                          const Listener& listener);

// The default trace of every task, as for an empty log.
Result<std::vector<RecordedTask>> default_tasks(const RecordedTasks& asked);

// Looks the same tasks up in another log, one entry per task; where the log has none, the match
// level is none and the candidate is the default trace. Notes the log's warnings.
Result<std::vector<RecordedTask>> tasks_in(const RecordedTasks& asked, const std::string& log,
                                           const Listener& listener);

// A task's best record whose trace `wanted` accepts, else its default trace.
Result<Candidate> best_of(const RecordedTasks& tasks, const TaskSpace& space,
                          const std::function<bool(const Trace&)>& wanted);

// A candidate for the task's region under another border: its best record under just that border;
// else the task's own trace, with the conversions that the border needs; else, if the task has no
// record either, the default trace under that border. Fails if the record's trace is illegal, with
// its name and the reason.
Result<Candidate> best_with_border(const RecordedTasks& tasks, const RecordedTask& task,
                                   const Border& border);

// The trace that a region runs with: the best one that a log has for it, or the default trace.
//
//   const std::optional<Log> log = TRY(read_log_of_run("tune.jsonl", listener));
//   const RegionTrace chosen = TRY(trace_for(task, target, log, Caches::hot, listener));
//   chosen.trace, chosen.match.name        of the record "tune.jsonl#1.17@…", if there is one
//
// Records are found by the region's spec, so anything that was tuned is found.
struct RegionTrace {
  Trace trace;
  Program program;    // the trace, lowered
  RecordMatch match;  // level none: the default trace
};

// None if the path is empty, which asks for default traces. Notes the log's warnings. The log is
// thinned (core/record/log/thinned_log.h). `exact` drops the records of algorithms whose rounding
// differs from the definition's sum.
Result<std::optional<Log>> read_log_of_run(const std::string& path, const Listener& listener,
                                           bool exact = false);

// The task's best record by an algorithm that `allows` accepts, records of the state `caches`
// first; else a default trace with the same restriction. A record whose trace this version or
// device rejects is a miss. Notes why the log has no exact match.
Result<RegionTrace> trace_for(const KeyedTask& task, const Target& target,
                              const std::optional<Log>& log, Caches caches,
                              const Listener& listener,
                              const AllowsAlgorithm& allows = any_algorithm);

// The task's best record with exactly this trace; level none if the log has none.
RecordMatch match_of_trace(const KeyedTask& task, const Trace& trace, const Target& target,
                           const Log& log, Caches caches);

// The trace of a random legal point, not the default, by `seed`; none if 64 draws find none.
Result<std::optional<RegionTrace>> random_trace_for(const TaskSpec& task, const Target& target,
                                                    uint64_t seed);

// Notes the tasks without an exact match in the log, and counts; true if there are any.
bool note_misses(const std::vector<RecordedTask>& tasks, const Listener& listener);

// Calls visit(name, task, weight) for every task asked for; several names may share one task.
using VisitAsked = std::function<void(const std::string& name, size_t task, int64_t weight)>;
void for_each_asked(const RecordedTasks& tasks, const VisitAsked& visit);

}  // namespace dovetail
