// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "campaign/bench/bench_save.h"
#include "campaign/cache_choice.h"
#include "campaign/machine.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/record/line/fields.h"
#include "core/record/line/log_header.h"
#include "measure/peers/peer.h"
#include "measure/reference/long_reference.h"

namespace dovetail {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

// The known names are peers, the rest are files.
Result<void> read_against(const BenchOptions& options, BenchPlan& plan) {
  const bool on_cpu = runs_threads(plan.recorded.target);
  if (options.against == std::vector<std::string>{kNone}) return {};
  std::vector<std::string> against = options.against;
  if (against.empty() && on_cpu) against = known_peers();
  if (against.empty()) {
    return fail("bench: the known peers run on cpu targets; for {} give --against FILE or none",
                print(plan.recorded.target.name));
  }
  for (const std::string& name : against) {
    const bool is_known = contains(known_peers(), name);
    if (is_known && !on_cpu) {
      return fail("bench: peer {} runs on cpu targets, not on {}; give --against FILE", name,
                  print(plan.recorded.target.name));
    }
    if (is_known) {
      if (!contains(plan.peers, name)) plan.peers.push_back(name);
      continue;
    }
    if (!std::filesystem::exists(name)) {
      return fail("bench: unknown peer '{}'; expected {}, none, or a FILE of external times{}",
                  name, one_of(known_peers()), did_you_mean(name, known_peers()));
    }
    for (ExternalTime& time : TRY(read_external_times(name)))
      plan.external.push_back(std::move(time));
  }
  return {};
}

Result<OtherLog> read_one(const std::string& name, const std::string& log,
                          const RecordedTasks& recorded, const Listener& listener) {
  OtherLog beside{.name = name, .tasks = {}};
  const bool is_default = log == kNone;
  for (RecordedTask& task :
       TRY(is_default ? default_tasks(recorded) : tasks_in(recorded, log, listener))) {
    const bool has_none = !is_default && task.match.level == MatchLevel::none;
    if (has_none) {
      listener.note(fmt::format("{}: nothing from {} beside it: {}", task.space->task.name, name,
                                task.match.explanation));
    }
    beside.tasks.push_back(has_none ? std::nullopt : std::optional(std::move(task)));
  }
  return beside;
}

// Parses NAME=LOG texts, and reads the logs; the error quotes the wrong text.
Result<std::vector<OtherLog>> read_beside(const std::vector<std::string>& given,
                                          const RecordedTasks& recorded, const Listener& listener) {
  std::vector<OtherLog> all;
  for (const std::string& text : given) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      return fail("bench: --beside {}: expected NAME=LOG", text);
    const std::string name = text.substr(0, equals);
    if (std::ranges::find(all, name, &OtherLog::name) != all.end())
      return fail("bench: --beside {}: the name {} is given twice", text, name);
    all.push_back(TRY(read_one(name, text.substr(equals + 1), recorded, listener)));
  }
  return all;
}

// Peers do not evict caches, and all contenders must be timed alike.
Result<void> check_alike(const BenchPlan& plan) {
  if (plan.caches == Caches::hot || !plan.has_peers()) return {};
  return fail("bench: --cache {} times our kernels alone; expected --against none",
              print(plan.caches));
}

Result<BenchPlan> plan_bench(const BenchOptions& options, const Listener& listener) {
  const auto log = options.log == kNone ? std::nullopt : std::optional(options.log);
  TRY(check_cache("bench", options.cache, TRY(parse_target_name(options.target))));
  BenchPlan plan{.recorded = TRY(read_recorded_tasks({.workloads = options.workloads,
                                                      .target = options.target,
                                                      .log = log,
                                                      .inputs = {options.shapes, options.constants},
                                                      .border = options.border,
                                                      .cache = options.cache},
                                                     listener)),
                 .peers = {},
                 .external = {},
                 .beside = {},
                 .caches = Caches::hot};
  if (!options.cache.empty()) plan.caches = plan.recorded.caches;
  TRY(read_against(options, plan));
  TRY(check_alike(plan));
  plan.beside = TRY(read_beside(options.beside, plan.recorded, listener));
  return plan;
}

Result<BenchEntry> entry_of(const BenchPlan& plan, size_t index) {
  const RecordedTask& task = plan.recorded.tasks[index];
  BenchEntry entry{.region = task.space->task.spec.region, .best = task.candidate};
  for (const OtherLog& beside : plan.beside) {
    const auto& other = beside.tasks[index];
    if (other) entry.beside.emplace(beside.name, other->candidate);
  }
  entry.free_only = !plan.has_peers();
  if (entry.free_only) {
    entry.row_major_reason = "there is no peer to compare with";
    return entry;
  }
  const Border framework = framework_border(entry.region);
  if (task.space->task.spec.border == framework) {
    entry.row_major_only = true;
    entry.row_major = entry.best;
    return entry;
  }
  const auto is_direct = [](const Trace& trace) { return algorithm_of(trace) == "direct"; };
  if (!is_direct(entry.best.trace))
    entry.direct = TRY(best_of(plan.recorded, *task.space, is_direct));
  Result<Candidate> row_major = best_with_border(plan.recorded, task, framework);
  if (row_major)
    entry.row_major = *std::move(row_major);
  else
    entry.row_major_reason = row_major.error().message;
  return entry;
}

// The key of a row in SavedRows: everything that is measured.
std::string asked_of(const BenchPlan& plan, const BenchContest& contest, const BenchEntry& entry) {
  std::vector<std::string> peers;
  for (const std::string& peer : plan.peers)
    if (!contest.missing().contains(peer)) peers.push_back(peer);
  std::map<std::string, std::string> beside;
  for (const auto& [name, candidate] : entry.beside) beside[name] = print(candidate.trace);
  const auto trace_of = [](const std::optional<Candidate>& candidate) {
    return candidate ? std::optional(print(candidate->trace)) : std::nullopt;
  };
  return json_of(std::tuple(
      Field{"spec", print(entry.region)}, Field{"target", print(plan.recorded.target.name)},
      Field{"device", facets_of(plan.recorded.target).name}, Field{"tool", DOVETAIL_VERSION},
      Field{"trace", print(entry.best.trace)}, Field{"free_only", entry.free_only},
      Field{"peers", peers}, Field{"beside", beside}, unless_empty("caches", plan.caches),
      unless_empty("row_major_only", entry.row_major_only),
      unless_empty("direct", trace_of(entry.direct)),
      unless_empty("row_major", trace_of(entry.row_major))));
}

// The fastest time of each external peer for one spec.
std::vector<ExternalTime> external_times(const BenchPlan& plan, const std::string& spec) {
  std::vector<ExternalTime> found;
  for (const ExternalTime& time : plan.external) {
    if (time.spec != spec) continue;
    const auto known = std::ranges::find(found, time.peer, &ExternalTime::peer);
    if (known == found.end())
      found.push_back(time);
    else if (time.seconds < known->seconds)
      *known = time;
  }
  return found;
}

// One row per --beside log; its task is null where that log has nothing for this one.
std::vector<BesideRow> beside_rows(const BenchPlan& plan, size_t index, const BenchTimes& times) {
  std::vector<BesideRow> rows;
  for (const OtherLog& beside : plan.beside) {
    const auto& task = beside.tasks[index];
    BesideRow row{.name = beside.name, .task = task ? &*task : nullptr};
    if (task) row.algorithm = algorithm_of(task->candidate.trace);
    const auto found = times.beside.find(beside.name);
    if (found != times.beside.end()) row.result = found->second;
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<BenchTimes> measured(const BenchPlan& plan, size_t index, BenchContest& contest,
                            SavedRows& saved, const Listener& listener) {
  const BenchEntry entry = TRY(entry_of(plan, index));
  const std::string asked = asked_of(plan, contest, entry);
  if (const BenchTimes* times = saved.find(asked)) {
    listener.note("the next row is in " + saved.path());
    return *times;
  }
  if (const auto note = long_reference_note(entry.region)) listener.note(*note);
  BenchTimes times = contest.measure(entry);
  if (!listener.interrupted()) TRY(saved.add(asked, times));
  return times;
}

Result<std::vector<BenchRow>> measure_rows(const BenchPlan& plan, BenchContest& contest,
                                           SavedRows& saved, const Listener& listener,
                                           const RowListener& on_row) {
  std::vector<BenchRow> rows;
  const std::vector<RecordedTask>& tasks = plan.recorded.tasks;
  for (size_t index = 0; index < tasks.size(); ++index) {
    const RecordedTask& task = tasks[index];
    BenchRow row{.task = &task,
                 .algorithm = algorithm_of(task.candidate.trace),
                 .times = TRY(measured(plan, index, contest, saved, listener)),
                 .external = external_times(plan, task.space->task.spec.text),
                 .beside = {}};
    if (listener.interrupted()) return rows;
    row.beside = beside_rows(plan, index, row.times);
    on_row(row, index + 1, tasks.size());
    rows.push_back(std::move(row));
  }
  return rows;
}

// Peers in the order asked for, then the external ones by first appearance.
std::vector<std::string> peer_columns(const BenchPlan& plan) {
  std::vector<std::string> columns = plan.peers;
  for (const ExternalTime& time : plan.external)
    if (!contains(columns, time.peer)) columns.push_back(time.peer);
  return columns;
}

std::vector<std::string> beside_columns(const BenchPlan& plan) {
  std::vector<std::string> names;
  for (const OtherLog& beside : plan.beside) names.push_back(beside.name);
  return names;
}

void note_what_is_timed(const BenchPlan& plan, const BenchOptions& options,
                        const Listener& listener) {
  if (plan.recorded.caches != plan.caches) {
    listener.note(fmt::format("warning: {} is of {} caches; bench times with hot ones",
                              plan.recorded.log.path, print(plan.recorded.caches)));
  }
  if (options.log == kNone)
    listener.note("default traces, as --log none asks");
  else
    note_misses(plan.recorded.tasks, listener);
}

Machine machine_of(const BenchPlan& plan, const BenchContest& contest) {
  std::vector<Region> regions;
  for (const RecordedTask& task : plan.recorded.tasks)
    regions.push_back(task.space->task.spec.region);
  return measure_machine(plan.recorded.target, contest.peak_gflops(), regions);
}

}  // namespace

Result<Bench> bench(const BenchOptions& options, const Listener& listener,
                    const RowListener& on_row) {
  Bench done;
  done.plan = std::make_unique<const BenchPlan>(TRY(plan_bench(options, listener)));
  const BenchPlan& plan = *done.plan;
  SavedRows saved = TRY(SavedRows::open(options.save));
  BenchContest contest = TRY(BenchContest::start(
      plan.recorded.target, plan.peers, beside_columns(plan), listener.interrupted, plan.caches));
  std::set<std::string> reasons;  // several peers may lack the same
  for (const auto& [peer, reason] : contest.missing()) reasons.insert(reason);
  for (const std::string& reason : reasons) listener.note(reason);
  if (plan.has_peers() && contest.num_peers() == 0 && plan.external.empty()) {
    return fail(
        "bench: there is no peer to compare with; scripts/install-dependencies --peers, then "
        "cmake --preset release && cmake --build --preset release give three; --against none asks "
        "for none");
  }
  note_what_is_timed(plan, options, listener);
  done.report = {.recorded = &plan.recorded,
                 .rows = TRY(measure_rows(plan, contest, saved, listener, on_row)),
                 .peers = peer_columns(plan),
                 .beside = beside_columns(plan),
                 .machine = {},
                 .caches = plan.caches};
  for (const std::string& warning : contest.take_warnings()) listener.note("warning: " + warning);
  done.interrupted = listener.interrupted();
  if (!done.interrupted) done.report.machine = machine_of(plan, contest);
  return done;
}

}  // namespace dovetail
