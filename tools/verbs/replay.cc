// SPDX-License-Identifier: Apache-2.0
// The verb `replay`: the best traces of a log, run and checked again.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/interrupt.h"
#include "campaign/make_runner.h"
#include "campaign/recorded_tasks.h"
#include "report/tables/table.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

// The seed of --check: numbers that no campaign was checked on.
constexpr uint64_t kCheckSeed = 20090317;

struct ReplayPlan {
  RecordedTasks recorded;
  std::vector<MeasureResult> results;  // of recorded.tasks
};

Result<ReplayPlan> plan_replay(const ReplayOptions& options) {
  ReplayPlan plan{.recorded = TRY(read_recorded_tasks({.workloads = options.workloads,
                                                       .target = options.target,
                                                       .log = options.log,
                                                       .shapes = options.shapes})),
                  .results = {}};
  plan.results.resize(plan.recorded.tasks.size());
  return plan;
}

void measure(ReplayPlan& plan, Runner& runner) {
  const auto submit = [&](const RecordedTask& task) {
    MeasureInput input;
    input.trial = task.match.best ? task.match.best->record.trial : 0;
    input.op = task.space->task.op;
    input.target = print(plan.recorded.target.name);
    input.trace = task.candidate.trace;
    input.program = task.candidate.program;
    input.thorough = true;
    runner.submit(std::move(input));
  };
  // Two in flight: one is built while the other runs.
  const std::vector<RecordedTask>& tasks = plan.recorded.tasks;
  size_t submitted = 0;
  for (size_t i = 0; i < tasks.size() && !interrupted(); ++i) {
    while (submitted < tasks.size() && submitted < i + 2) submit(tasks[submitted++]);
    plan.results[i] = runner.wait();
  }
}

bool is_valid(const MeasureResult& result) { return result.status == Status::ok; }

std::optional<double> gflops_of(const RecordedTask& task, const MeasureResult& result) {
  if (!is_valid(result)) return std::nullopt;
  return nominal_flops(task.space->task.op) / result.seconds * 1e-9;
}

std::string json_text(const ReplayPlan& plan) {
  Json tasks = Json::array();
  for_each_asked(plan.recorded, [&](const std::string& name, size_t index) {
    const RecordedTask& task = plan.recorded.tasks[index];
    const MeasureResult& result = plan.results[index];
    const bool valid = is_valid(result);
    Json json{{"name", name}};
    json["seconds"] = valid ? Json(result.seconds) : Json();
    json["gflops"] = valid ? Json(*gflops_of(task, result)) : Json();
    json["max_abs_error"] = valid ? Json(result.max_abs_error) : Json();
    json["max_rel_error"] = valid ? Json(result.max_rel_error) : Json();
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
  for_each_asked(plan.recorded, [&](const std::string& name, size_t index) {
    const RecordedTask& task = plan.recorded.tasks[index];
    const MeasureResult& result = plan.results[index];
    const std::string level(print(task.match.level));
    if (!is_valid(result)) {
      table.add_row({name, std::string(print(result.status)), "-", "-", "-", level,
                     task.match.best ? task.match.name : "-"});
      return;
    }
    table.add_row({name, microseconds(result.seconds), significant(gflops_of(task, result)),
                   significant(result.max_abs_error), significant(result.max_rel_error), level,
                   task.match.best ? task.match.name : "-"});
  });
  return print(table);
}

ExitCode exit_code(const ReplayPlan& plan) {
  ExitCode code = ExitCode::done;
  for (size_t i = 0; i < plan.results.size(); ++i) {
    const MeasureResult& result = plan.results[i];
    if (is_valid(result)) continue;
    std::fprintf(stderr, "dovetail: %s: %s: %s\n", plan.recorded.tasks[i].space->task.name.c_str(),
                 std::string(print(result.status)).c_str(), result.reason.c_str());
    if (result.status == Status::worker_lost) return ExitCode::device_failure;
    code = ExitCode::no_candidate;
  }
  return code;
}

}  // namespace

Result<ExitCode> run_replay(const ReplayOptions& options) {
  catch_interrupts();
  ReplayPlan plan = TRY(plan_replay(options));
  if (explain_misses(plan.recorded.tasks) && options.strict) return ExitCode::replay_miss;
  const bool cold = plan.recorded.caches == Caches::cold;
  if (cold) std::fputs("dovetail: with cold caches, as in the log\n", stderr);
  const std::unique_ptr<LocalRunner> runner = TRY(make_runner(
      plan.recorded.target, {.operand_seed = options.check ? kCheckSeed : 0, .cold = cold}));
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
