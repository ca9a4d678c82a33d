// SPDX-License-Identifier: Apache-2.0
// The verb `bench`: the best of a log beside other libraries.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "measure/peers/peer_names.h"
#include "primitives/lowering/framework_layouts.h"
#include "tools/bench_report.h"
#include "tools/interrupt.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

std::string algorithm_of(const Trace& trace) { return trace.algorithm ? "winograd" : "direct"; }

struct BenchPlan {
  RecordedTasks recorded;
  std::vector<std::string> peers;      // to be run here
  std::vector<ExternalTime> external;  // measured elsewhere
};

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

// Peers by name, the rest as files.
Result<void> read_against(const BenchOptions& options, BenchPlan& plan) {
  const bool on_cpu = plan.recorded.target.name.kind == TargetKind::cpu;
  std::vector<std::string> against = options.against;
  if (against.empty() && on_cpu) against = known_peers();
  if (against.empty()) {
    return fail(fmt::format("bench: the known peers run on cpu targets; for {} give --against FILE",
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
  BenchPlan plan{.recorded = TRY(read_recorded_tasks({.workloads = options.workloads,
                                                      .target = options.target,
                                                      .log = options.log,
                                                      .shapes = options.shapes})),
                 .peers = {},
                 .external = {}};
  TRY(read_against(options, plan));
  return plan;
}

Result<BenchEntry> entry_of(const BenchPlan& plan, const RecordedTask& task) {
  BenchEntry entry{.op = task.space->task.op,
                   .best = task.candidate,
                   .direct = {},
                   .plain = {},
                   .plain_reason = {}};
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
  if (row.times.ours.status != Status::ok) {
    std::fprintf(stderr, "dovetail: %s: %s: %s\n", name.c_str(),
                 std::string(print(row.times.ours.status)).c_str(), row.times.ours.reason.c_str());
  }
}

Result<std::vector<BenchRow>> measure_rows(const BenchPlan& plan, BenchContest& contest) {
  std::vector<BenchRow> rows;
  for (const RecordedTask& task : plan.recorded.tasks) {
    const BenchEntry entry = TRY(entry_of(plan, task));
    std::fprintf(stderr, "dovetail: %zu of %zu: %s\n", rows.size() + 1, plan.recorded.tasks.size(),
                 task.space->task.name.c_str());
    BenchRow row{.task = &task,
                 .algorithm = algorithm_of(task.candidate.trace),
                 .times = contest.measure(entry),
                 .external = external_times(plan, task.space->spec)};
    if (interrupted()) return rows;
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
  BenchContest contest = TRY(BenchContest::start(plan.recorded.target, plan.peers));
  for (const auto& [peer, reason] : contest.missing()) {
    std::fprintf(stderr, "dovetail: %s\n", reason.c_str());
  }
  if (contest.num_peers() == 0 && plan.external.empty()) {
    return fail("bench: there is no peer to compare with");
  }
  explain_misses(plan.recorded.tasks);
  BenchReport report{.recorded = &plan.recorded,
                     .rows = TRY(measure_rows(plan, contest)),
                     .peers = peer_columns(plan),
                     .machine = {}};
  for (const std::string& warning : contest.take_warnings()) {
    std::fprintf(stderr, "dovetail: warning: %s\n", warning.c_str());
  }
  if (interrupted()) return ExitCode::interrupted;
  std::vector<Operator> ops;
  for (const BenchRow& row : report.rows) ops.push_back(row.task->space->task.op);
  report.machine = measure_machine(plan.recorded.target, contest.peak_gflops(), ops);
  const std::string text = options.json ? json_text(report) : table_text(report);
  std::fputs(text.c_str(), stdout);
  return exit_code(report.rows);
}

}  // namespace dovetail
