// SPDX-License-Identifier: Apache-2.0
#pragma once

// RecordedTasks: what a log has for the tasks of some workloads: the best trace of each, lowered,
// or the default trace where the log has none. `replay` and `bench` begin with them.

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

// read_trace: a trace that a user has as text, as `dovetail show --what trace` prints it.
//
//   read_trace("mine.txt")     read_trace("-")     from stdin, as at the end of a pipe
//
// The error names file, line and column.
Result<Trace> read_trace(const std::string& path);

struct RecordedTask {
  const TaskSpace* space = nullptr;  // of RecordedTasks::spaces
  RecordMatch match;
  Candidate candidate;
  bool is_given = false;  // its trace is the caller's own
};

struct RecordedTasks {
  Target target;
  Workloads workloads;
  std::vector<TaskSpace> spaces;
  std::vector<RecordedTask> tasks;  // one per distinct spec
  Log log;
  Caches caches = Caches::hot;  // in which the log's times are wanted
};

struct RecordedTasksOptions {
  std::vector<std::string> workloads;
  std::string target;
  std::optional<std::string> log;   // none: default traces, which is then what was asked for
  std::optional<Trace> trace = {};  // without a log: of every task, instead of the default one
  ModelInputs inputs = {};
  std::string border = {};  // as read_workloads() takes it
  std::string cache = {};   // campaign/cache_choice.h; empty: that of the log's records
};

// That a campaign searched.
std::string variant_of(const LogHeader& campaign);

// A model's regions are those that the log's last campaign tuned; without one, those of `joint`.
Result<PartitionOptions> partition_of(const Log& log, const Graph& graph);

// A log that was made before tails were values (core/frontend/partition/tails.h) keeps the regions
// that it has: without values, where it has more of those, or fewer of them are missing.
Result<PartitionOptions> as_tuned(PartitionOptions wanted, const Log& log, const Graph& graph);

// Notes the log's warnings, and tasks whose record is of another state of the caches than wanted.
// The error is bad input, such as a log with both hot and cold times where none were chosen and no
// model says which, or a trace of the caller's that is illegal for a task.
Result<RecordedTasks> read_recorded_tasks(const RecordedTasksOptions& options,
                                          const Listener& listener);

// The default trace of every task, as if a log had nothing.
Result<std::vector<RecordedTask>> default_tasks(const RecordedTasks& asked);

// It finds what another log has for the same tasks, one entry a task; where it has nothing, the
// match says so and the candidate is the default trace. Notes the log's warnings.
Result<std::vector<RecordedTask>> tasks_in(const RecordedTasks& asked, const std::string& log,
                                           const Listener& listener);

// The best of the records that `wanted` accepts, for one task.
Result<Candidate> best_of(const RecordedTasks& tasks, const TaskSpace& space,
                          const std::function<bool(const Trace&)>& wanted);

// The same operator may have another border: it gets the best record of just that, or, where the
// log has none, the task's own trace with what the border converts; the default trace for that
// border where the task has none either. A record whose trace is illegal
// is an error, with its name and the reason.
Result<Candidate> best_with_border(const RecordedTasks& tasks, const RecordedTask& task,
                                   const Border& border);

// The trace that a region runs with: the best one that a log has for it, or the default trace.
//
//   const std::optional<Log> log = TRY(read_log_of_run("tune.jsonl", listener));
//   const RegionTrace chosen = TRY(trace_for(task, target, log, Caches::hot, listener));
//   chosen.trace, chosen.match.name        of the record "tune.jsonl#1.17@…", if there is one
//
// Records are found by the region's spec, so that whatever is tuned is found.
struct RegionTrace {
  Trace trace;
  Program program;    // of that trace
  RecordMatch match;  // level none: the default trace
};

// None of an empty path: default traces are then what was asked for. Notes the log's warnings. The
// log is thinned (core/record/log/thinned_log.h). `exact`: without the records of algorithms whose
// rounding differs from the definition's sum.
Result<std::optional<Log>> read_log_of_run(const std::string& path, const Listener& listener,
                                           bool exact = false);

// A record whose trace this version or this device refuses is a miss. Notes why the log has no
// exact match. Records of the state `caches` come first, among those by algorithms that the task
// allows, and so it is with a default trace.
Result<RegionTrace> trace_for(const TaskSpec& task, const Target& target,
                              const std::optional<Log>& log, Caches caches,
                              const Listener& listener,
                              const AllowsAlgorithm& allows = any_algorithm);

// It finds the best record of a task by just this trace; level none where the log has no such one.
RecordMatch match_of_trace(const TaskSpec& task, const Trace& trace, const Target& target,
                           const Log& log, Caches caches);

// A random point of the region's space, the same for one seed; none where the space has one point.
Result<std::optional<RegionTrace>> random_trace_for(const TaskSpec& task, const Target& target,
                                                    uint64_t seed);

// Notes which tasks the log has no exact match for, and counts them; true when there are any.
bool note_misses(const std::vector<RecordedTask>& tasks, const Listener& listener);

// visit(name, task) for every task that was asked for, by its name: several may be one task.
void for_each_asked(const RecordedTasks& tasks,
                    const std::function<void(const std::string& name, size_t task)>& visit);

}  // namespace dovetail
