// SPDX-License-Identifier: Apache-2.0
// The verb `replay`: the best traces of a log, or a trace of one's own, run and checked again.
#include "campaign/replay.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/ir/region/work.h"
#include "report/tables/table.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

constexpr Option<ReplayOptions> kReplayOptions[] = {
    {"WORKLOAD", &ReplayOptions::workloads, kWorkloadHelp},
    {"--target", &ReplayOptions::target, kTargetHelp},
    {"--log", &ReplayOptions::log, "file of records (required, or --trace)"},
    {"--trace", &ReplayOptions::trace_file,
     "file with a trace of yours, as show prints it; -: stdin"},
    {"--shape", &ReplayOptions::shapes, kShapeHelp},
    {"--border", &ReplayOptions::border, kBorderHelp},
    {"--strict", &ReplayOptions::strict, "exact matches only; a miss is exit code 3"},
    {"--check", &ReplayOptions::check, "check on other numbers than the campaign did"},
};

using Json = nlohmann::ordered_json;

bool is_valid(const MeasureResult& result) { return result.status == Status::ok; }

std::string match_text(const RecordedTask& task) {
  return task.is_given ? "given" : std::string(print(task.match.level));
}

std::optional<double> gflops_of(const RecordedTask& task, const MeasureResult& result) {
  if (!is_valid(result)) return std::nullopt;
  return nominal_flops(task.space->task.spec.region) / result.seconds * 1e-9;
}

std::string json_text(const Replay& replay) {
  Json tasks = Json::array();
  for_each_asked(replay.recorded, [&](const std::string& name, size_t index) {
    const RecordedTask& task = replay.recorded.tasks[index];
    const MeasureResult& result = replay.results[index];
    const bool valid = is_valid(result);
    Json json{{"name", name}};
    json["seconds"] = valid ? Json(result.seconds) : Json();
    json["gflops"] = valid ? Json(*gflops_of(task, result)) : Json();
    json["max_abs_error"] = valid ? Json(result.max_abs_error) : Json();
    json["max_rel_error"] = valid ? Json(result.max_rel_error) : Json();
    json["match"] = match_text(task);
    json["record"] = task.match.best ? Json(task.match.name) : Json();
    tasks.push_back(std::move(json));
  });
  return Json{{"tasks", std::move(tasks)}}.dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

std::string table_text(const Replay& replay) {
  Table table({{"task", Align::left},
               {"time (us)"},
               {"GFLOP/s"},
               {"max abs error"},
               {"max rel error"},
               {"match", Align::left},
               {"record", Align::left}});
  for_each_asked(replay.recorded, [&](const std::string& name, size_t index) {
    const RecordedTask& task = replay.recorded.tasks[index];
    const MeasureResult& result = replay.results[index];
    const std::string level = match_text(task);
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

ExitCode exit_code(const Replay& replay, const Listener& listener) {
  ExitCode code = ExitCode::done;
  for (size_t i = 0; i < replay.results.size(); ++i) {
    const MeasureResult& result = replay.results[i];
    if (is_valid(result)) continue;
    listener.note(fmt::format("{}: {}: {}", replay.recorded.tasks[i].space->task.name,
                              print(result.status), result.reason));
    if (result.status == Status::worker_lost) return ExitCode::device_failure;
    code = ExitCode::no_candidate;
  }
  return code;
}

Result<ExitCode> run_replay(const ReplayOptions& options, bool json) {
  if (options.workloads.empty())
    return fail("replay: no WORKLOAD given; see dovetail replay --help");
  if (options.log.empty() == options.trace_file.empty())
    return fail(options.log.empty() ? "replay: --log FILE or --trace FILE is missing"
                                    : "replay: both --log and --trace given, expected one of them");
  if (options.strict && options.log.empty())
    return fail("replay: --strict is about matches of a log; leave it out with --trace");
  catch_interrupts();
  const Listener listener = listener_on_stderr();
  const Replay replay = TRY(run_again(options, listener));
  if (replay.refused) return ExitCode::replay_miss;
  if (replay.interrupted) return ExitCode::interrupted;
  std::fputs((json ? json_text(replay) : table_text(replay)).c_str(), stdout);
  return exit_code(replay, listener);
}

}  // namespace

Result<ExitCode> replay_verb(Arguments arguments) {
  return parse_and_run<ReplayOptions>(
      "replay",
      "Runs the best trace of a log, or a trace of yours, for every task of the "
      "workloads.",
      kReplayOptions, run_replay, std::move(arguments));
}

}  // namespace dovetail
