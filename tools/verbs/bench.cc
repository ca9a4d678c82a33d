// SPDX-License-Identifier: Apache-2.0
// The verb `bench`: the best of a log beside other libraries, and beside the best of other logs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "campaign/bench/bench_beside.h"
#include "campaign/bench/bench_save.h"
#include "campaign/interrupt.h"
#include "core/record/line/device_facets.h"
#include "measure/peers/peer_names.h"
#include "primitives/lowering/framework_layouts.h"
#include "tools/verbs.h"
#include "tools/verbs/bench_report.h"

namespace dovetail {
namespace {

std::string algorithm_of(const Trace& trace) { return trace.algorithm ? "winograd" : "direct"; }

struct BenchPlan {
  RecordedTasks recorded;
  std::vector<std::string> peers;      // to be run here
  std::vector<ExternalTime> external;  // measured elsewhere
  std::vector<Beside> beside;          // the best of other logs

  bool has_peers() const { return !peers.empty() || !external.empty(); }
};

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

// Peers by name, the rest as files.
Result<void> read_against(const BenchOptions& options, BenchPlan& plan) {
  const bool on_cpu = plan.recorded.target.name.kind == TargetKind::cpu;
  if (options.against == std::vector<std::string>{kNone}) return {};
  std::vector<std::string> against = options.against;
  if (against.empty() && on_cpu) against = known_peers();
  if (against.empty()) {
    return fail(
        fmt::format("bench: the known peers run on cpu targets; for {} give --against FILE or none",
                    print(plan.recorded.target.name)));
  }
  for (const std::string& name : against) {
    const bool is_known = contains(known_peers(), name);
    if (is_known && !on_cpu) {
      return fail(fmt::format("bench: peer {} runs on cpu targets, not on {}; give --against FILE",
                              name, print(plan.recorded.target.name)));
    }
    if (is_known) {
      if (!contains(plan.peers, name)) plan.peers.push_back(name);
      continue;
    }
    if (!std::filesystem::exists(name)) {
      return fail(fmt::format("bench: unknown peer '{}'; expected {}, or a FILE of external times",
                              name, fmt::join(known_peers(), ", ")));
    }
    for (ExternalTime& time : TRY(read_external_times(name))) {
      plan.external.push_back(std::move(time));
    }
  }
  return {};
}

Result<BenchPlan> plan_bench(const BenchOptions& options) {
  const auto log = options.log == kNone ? std::nullopt : std::optional(options.log);
  BenchPlan plan{.recorded = TRY(read_recorded_tasks({.workloads = options.workloads,
                                                      .target = options.target,
                                                      .log = log,
                                                      .shapes = options.shapes})),
                 .peers = {},
                 .external = {},
                 .beside = {}};
  TRY(read_against(options, plan));
  plan.beside = TRY(read_beside(options.beside, plan.recorded));
  return plan;
}

Result<BenchEntry> entry_of(const BenchPlan& plan, size_t index) {
  const RecordedTask& task = plan.recorded.tasks[index];
  BenchEntry entry{.op = task.space->task.op, .best = task.candidate};
  for (const Beside& beside : plan.beside) {
    const auto& other = beside.tasks[index];
    if (other) entry.beside.emplace(beside.name, other->candidate);
  }
  entry.free_only = !plan.has_peers();
  if (entry.free_only) {
    entry.plain_reason = "there is no peer to compare with";
    return entry;
  }
  const auto is_direct = [](const Trace& trace) { return algorithm_of(trace) == "direct"; };
  if (!is_direct(entry.best.trace)) {
    entry.direct = TRY(best_of(plan.recorded, *task.space, is_direct)).candidate;
  }
  Result<Program> plain = in_framework_layouts(entry.best.program);
  if (plain) {
    entry.plain = Candidate{.trace = entry.best.trace, .program = *std::move(plain)};
  } else {
    entry.plain_reason = plain.error().message;
  }
  return entry;
}

// Says what a row is the measurement of, for SavedRows.
std::string asked_of(const BenchPlan& plan, const BenchContest& contest, const BenchEntry& entry) {
  nlohmann::ordered_json asked{{"spec", print(entry.op)},
                               {"target", print(plan.recorded.target.name)},
                               {"device", facets_of(plan.recorded.target).name},
                               {"tool", DOVETAIL_VERSION},
                               {"trace", print(entry.best.trace)},
                               {"free_only", entry.free_only},
                               {"peers", nlohmann::ordered_json::array()},
                               {"beside", nlohmann::ordered_json::object()}};
  if (entry.direct) asked["direct"] = print(entry.direct->trace);
  for (const std::string& peer : plan.peers) {
    if (!contest.missing().contains(peer)) asked["peers"].push_back(peer);
  }
  for (const auto& [name, candidate] : entry.beside) asked["beside"][name] = print(candidate.trace);
  return asked.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// The fastest of each peer for one spec.
std::vector<ExternalTime> external_times(const BenchPlan& plan, const std::string& spec) {
  std::vector<ExternalTime> found;
  for (const ExternalTime& time : plan.external) {
    if (time.spec != spec) continue;
    const auto known = std::ranges::find(found, time.peer, &ExternalTime::peer);
    if (known == found.end()) {
      found.push_back(time);
    } else if (time.seconds < known->seconds) {
      *known = time;
    }
  }
  return found;
}

void say_problems(const BenchRow& row) {
  const std::string& name = row.task->space->task.name;
  for (const auto& [peer, times] : row.times.peers) {
    if (!times.reason.empty()) {
      std::fprintf(stderr, "dovetail: %s: %s: %s\n", name.c_str(), peer.c_str(),
                   times.reason.c_str());
    }
    for (const std::string& line : times.choice.rejected) {
      std::fprintf(stderr, "dovetail: %s: %s: not used: %s\n", name.c_str(), peer.c_str(),
                   line.c_str());
    }
  }
  for (const auto& [beside, result] : row.times.beside) {
    if (result.status == Status::ok) continue;
    std::fprintf(stderr, "dovetail: %s: %s: %s: %s\n", name.c_str(), beside.c_str(),
                 std::string(print(result.status)).c_str(), result.reason.c_str());
  }
  if (row.times.ours.status != Status::ok) {
    std::fprintf(stderr, "dovetail: %s: %s: %s\n", name.c_str(),
                 std::string(print(row.times.ours.status)).c_str(), row.times.ours.reason.c_str());
  }
}

// Looks the task up in every log beside; where a log has nothing, its row has no times.
std::vector<BesideRow> beside_rows(const BenchPlan& plan, size_t index, const BenchTimes& times) {
  std::vector<BesideRow> rows;
  for (const Beside& beside : plan.beside) {
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
                            SavedRows& saved) {
  const BenchEntry entry = TRY(entry_of(plan, index));
  const std::string asked = asked_of(plan, contest, entry);
  if (const BenchTimes* times = saved.find(asked)) {
    std::fprintf(stderr, "dovetail: the next row is in %s\n", saved.path().c_str());
    return *times;
  }
  BenchTimes times = contest.measure(entry);
  if (!interrupted()) TRY(saved.add(asked, times));
  return times;
}

Result<std::vector<BenchRow>> measure_rows(const BenchPlan& plan, BenchContest& contest,
                                           SavedRows& saved) {
  std::vector<BenchRow> rows;
  const std::vector<RecordedTask>& tasks = plan.recorded.tasks;
  for (size_t index = 0; index < tasks.size(); ++index) {
    const RecordedTask& task = tasks[index];
    BenchRow row{.task = &task,
                 .algorithm = algorithm_of(task.candidate.trace),
                 .times = TRY(measured(plan, index, contest, saved)),
                 .external = external_times(plan, task.space->spec),
                 .beside = {}};
    if (interrupted()) return rows;
    row.beside = beside_rows(plan, index, row.times);
    std::fprintf(stderr, "dovetail: %zu of %zu: %s: %s\n", index + 1, tasks.size(),
                 task.space->task.name.c_str(), short_text(row).c_str());
    say_problems(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

// As asked for, then the external ones by first appearance.
std::vector<std::string> peer_columns(const BenchPlan& plan) {
  std::vector<std::string> columns = plan.peers;
  for (const ExternalTime& time : plan.external) {
    if (!contains(columns, time.peer)) columns.push_back(time.peer);
  }
  return columns;
}

std::vector<std::string> beside_columns(const BenchPlan& plan) {
  std::vector<std::string> names;
  for (const Beside& beside : plan.beside) names.push_back(beside.name);
  return names;
}

// Peers know nothing of our evictions, and all are timed alike.
void warn_of_cold_logs(const BenchPlan& plan) {
  if (plan.recorded.caches == Caches::hot) return;
  std::fprintf(stderr, "dovetail: warning: %s is of cold caches; bench times with hot ones\n",
               plan.recorded.log.path.c_str());
}

void say_how_to_go_on(const SavedRows& saved) {
  if (saved.path().empty()) return;
  std::fprintf(stderr, "dovetail: rows are saved in %s; the same command goes on\n",
               saved.path().c_str());
}

ExitCode exit_code(const std::vector<BenchRow>& rows) {
  ExitCode code = ExitCode::done;
  for (const BenchRow& row : rows) {
    if (row.times.ours.status == Status::worker_lost) return ExitCode::device_failure;
    if (row.times.ours.status != Status::ok) code = ExitCode::no_candidate;
  }
  return code;
}

}  // namespace

Result<ExitCode> run_bench(const BenchOptions& options) {
  catch_interrupts();
  const BenchPlan plan = TRY(plan_bench(options));
  SavedRows saved = TRY(SavedRows::open(options.save));
  BenchContest contest =
      TRY(BenchContest::start(plan.recorded.target, plan.peers, beside_columns(plan)));
  for (const auto& [peer, reason] : contest.missing()) {
    std::fprintf(stderr, "dovetail: %s\n", reason.c_str());
  }
  if (plan.has_peers() && contest.num_peers() == 0 && plan.external.empty()) {
    return fail("bench: there is no peer to compare with; --against none asks for none");
  }
  warn_of_cold_logs(plan);
  if (options.log == kNone) {
    std::fputs("dovetail: default traces, as --log none asks\n", stderr);
  } else {
    explain_misses(plan.recorded.tasks);
  }
  BenchReport report{.recorded = &plan.recorded,
                     .rows = TRY(measure_rows(plan, contest, saved)),
                     .peers = peer_columns(plan),
                     .beside = beside_columns(plan),
                     .machine = {}};
  for (const std::string& warning : contest.take_warnings()) {
    std::fprintf(stderr, "dovetail: warning: %s\n", warning.c_str());
  }
  if (interrupted()) {
    say_how_to_go_on(saved);
    return ExitCode::interrupted;
  }
  std::vector<Operator> ops;
  for (const BenchRow& row : report.rows) ops.push_back(row.task->space->task.op);
  report.machine = measure_machine(plan.recorded.target, contest.peak_gflops(), ops);
  const std::string text = options.json ? json_text(report) : table_text(report);
  std::fputs(text.c_str(), stdout);
  return exit_code(report.rows);
}

}  // namespace dovetail
