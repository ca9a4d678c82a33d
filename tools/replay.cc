// SPDX-License-Identifier: Apache-2.0
// The verb `replay`: the best traces of a log, run and checked again.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/record/best_record.h"
#include "core/record/device_facets.h"
#include "search/candidate.h"
#include "tools/interrupt.h"
#include "tools/make_runner.h"
#include "tools/resolve_target.h"
#include "tools/table.h"
#include "tools/verbs.h"
#include "tools/workloads.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

// Of --check: numbers that no campaign was checked on.
constexpr uint64_t kCheckSeed = 20090317;

struct ReplayTask {
  const TaskSpace* space = nullptr;
  RecordMatch match;
  Candidate candidate;
  MeasureResult result;
};

struct ReplayPlan {
  Target target;
  Workloads workloads;
  std::vector<TaskSpace> spaces;
  std::vector<ReplayTask> tasks;  // one per distinct spec
};

Result<Candidate> recorded_candidate(const TaskSpace& space, const RecordMatch& match,
                                     const Target& target) {
  return materialize(space.task.op, target, TRY(parse_trace(match.best->record.trace)));
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
  return materialize(space.task.op, target, space.space.default_trace());
}

Result<ReplayPlan> plan_replay(const ReplayOptions& options) {
  ReplayPlan plan;
  const std::string target = print(TRY(parse_target_name(options.target)));
  plan.workloads = TRY(read_workloads(options.workloads, target, options.shapes));
  plan.target = TRY(resolve_target(options.target));
  TRY(require_runnable(plan.target));
  plan.spaces = TRY(build_spaces(plan.workloads, plan.target, "joint"));
  const Log log = TRY(read_log(options.log));
  std::vector<TaskQuery> queries;
  for (const TaskSpace& space : plan.spaces) {
    queries.push_back({.task = space.spec, .target = target, .device = facets_of(plan.target)});
  }
  std::vector<RecordMatch> matches = best_records(log, queries);
  for (size_t i = 0; i < matches.size(); ++i) {
    Candidate candidate = TRY(candidate_of(plan.spaces[i], matches[i], plan.target));
    plan.tasks.push_back({.space = &plan.spaces[i],
                          .match = std::move(matches[i]),
                          .candidate = std::move(candidate),
                          .result = {}});
  }
  for (const LogWarning& warning : log.warnings) {
    std::fprintf(stderr, "dovetail: %s\n", print(warning, log.path).c_str());
  }
  return plan;
}

// With --strict, what is no exact match; everything else is replayed and only reported.
bool explain_misses(const ReplayPlan& plan, bool strict) {
  bool missed = false;
  size_t exact = 0, family = 0;
  for (const ReplayTask& task : plan.tasks) {
    exact += task.match.level == MatchLevel::exact;
    family += task.match.level == MatchLevel::family;
    if (task.match.level == MatchLevel::exact) continue;
    missed = true;
    std::fprintf(stderr, "dovetail: %s: %s: %s\n", task.space->task.name.c_str(),
                 std::string(print(task.match.level)).c_str(), task.match.explanation.c_str());
  }
  std::fprintf(stderr, "dovetail: %zu tasks: %zu exact, %zu family, %zu default\n",
               plan.tasks.size(), exact, family, plan.tasks.size() - exact - family);
  return strict && missed;
}

void measure(ReplayPlan& plan, Runner& runner) {
  const auto submit = [&](ReplayTask& task) {
    MeasureInput input;
    input.trial = task.match.best ? task.match.best->record.trial : 0;
    input.op = task.space->task.op;
    input.target = print(plan.target.name);
    input.trace = task.candidate.trace;
    input.program = task.candidate.program;
    input.thorough = true;
    runner.submit(std::move(input));
  };
  // Two in flight: one is built while the other runs.
  size_t submitted = 0;
  for (size_t i = 0; i < plan.tasks.size() && !interrupted(); ++i) {
    while (submitted < plan.tasks.size() && submitted < i + 2) submit(plan.tasks[submitted++]);
    plan.tasks[i].result = runner.wait();
  }
}

bool is_valid(const ReplayTask& task) { return task.result.status == Status::ok; }

std::optional<double> gflops_of(const ReplayTask& task) {
  if (!is_valid(task)) return std::nullopt;
  return nominal_flops(task.space->task.op) / task.result.seconds * 1e-9;
}

template <typename Visit>
void for_each_row(const ReplayPlan& plan, const Visit& visit) {
  for (const Task& asked : plan.workloads.tasks) {
    const std::string spec = print(asked.op);
    for (const ReplayTask& task : plan.tasks) {
      if (task.space->spec == spec) visit(asked.name, task);
    }
  }
}

std::string json_text(const ReplayPlan& plan) {
  Json tasks = Json::array();
  for_each_row(plan, [&](const std::string& name, const ReplayTask& task) {
    const bool valid = is_valid(task);
    Json json{{"name", name}};
    json["seconds"] = valid ? Json(task.result.seconds) : Json();
    json["gflops"] = valid ? Json(*gflops_of(task)) : Json();
    json["max_abs_error"] = valid ? Json(task.result.max_abs_error) : Json();
    json["max_rel_error"] = valid ? Json(task.result.max_rel_error) : Json();
    json["match"] = std::string(print(task.match.level));
    json["record"] = task.match.best ? Json(task.match.name) : Json();
    tasks.push_back(std::move(json));
  });
  return Json{{"tasks", std::move(tasks)}}.dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

std::string table_text(const ReplayPlan& plan) {
  Table table({{"task", Align::left},
               {"time (us)"},
               {"GFLOP/s"},
               {"max abs error"},
               {"max rel error"},
               {"match", Align::left},
               {"record", Align::left}});
  for_each_row(plan, [&](const std::string& name, const ReplayTask& task) {
    const std::string level(print(task.match.level));
    if (!is_valid(task)) {
      table.add_row({name, std::string(print(task.result.status)), "-", "-", "-", level,
                     task.match.best ? task.match.name : "-"});
      return;
    }
    table.add_row({name, microseconds(task.result.seconds), significant(gflops_of(task)),
                   significant(task.result.max_abs_error), significant(task.result.max_rel_error),
                   level, task.match.best ? task.match.name : "-"});
  });
  return print(table);
}

ExitCode exit_code(const ReplayPlan& plan) {
  ExitCode code = ExitCode::done;
  for (const ReplayTask& task : plan.tasks) {
    if (is_valid(task)) continue;
    std::fprintf(stderr, "dovetail: %s: %s: %s\n", task.space->task.name.c_str(),
                 std::string(print(task.result.status)).c_str(), task.result.reason.c_str());
    if (task.result.status == Status::worker_lost) return ExitCode::device_failure;
    code = ExitCode::no_candidate;
  }
  return code;
}

}  // namespace

Result<ExitCode> run_replay(const ReplayOptions& options) {
  catch_interrupts();
  ReplayPlan plan = TRY(plan_replay(options));
  if (explain_misses(plan, options.strict)) return ExitCode::replay_miss;
  const std::unique_ptr<LocalRunner> runner =
      TRY(make_runner(plan.target, options.check ? kCheckSeed : 0));
  measure(plan, *runner);
  for (const std::string& warning : runner->take_warnings()) {
    std::fprintf(stderr, "dovetail: warning: %s\n", warning.c_str());
  }
  if (interrupted()) return ExitCode::interrupted;
  const std::string text = options.json ? json_text(plan) : table_text(plan);
  std::fputs(text.c_str(), stdout);
  return exit_code(plan);
}

}  // namespace dovetail
