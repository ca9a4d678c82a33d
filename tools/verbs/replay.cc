// SPDX-License-Identifier: Apache-2.0
// The verb `replay`: runs and checks the best traces of a log, or a given trace, again.
#include "campaign/replay.h"

#include <fmt/format.h>

#include <cstdio>
#include <tuple>
#include <vector>

#include "campaign/indented_json.h"
#include "core/base/time_interval.h"
#include "core/record/line/log_header.h"
#include "core/record/statistics/network_total.h"
#include "primitives/algorithm/roof.h"
#include "report/tables/row_table.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

constexpr Option<ReplayOptions> kReplayOptions[] = {
    {"WORKLOAD", &ReplayOptions::workloads, kWorkloadHelp},
    {.name = "--target",
     .member = &ReplayOptions::target,
     .help = kTargetHelp,
     .values = target_forms},
    {"--log", &ReplayOptions::log, "file of records (required, or --trace)"},
    {"--trace", &ReplayOptions::trace_file,
     "file with a trace of yours, as show prints it; -: stdin"},
    {"--shape", &ReplayOptions::shapes, kShapeHelp},
    {"--constant", &ReplayOptions::constants, kConstantHelp},
    {"--border", &ReplayOptions::border, kBorderHelp},
    {"--strict", &ReplayOptions::strict, "exact matches only; a miss is exit code 3"},
    {"--check", &ReplayOptions::check, "check on other numbers than the campaign did"},
    {.name = "--cache",
     .member = &ReplayOptions::cache,
     .help = kCacheHelp,
     .otherwise = "as the log's times are",
     .values = cache_words},
};

struct ReplayRow {
  std::string name;
  const RecordedTask* task = nullptr;
  const MeasureResult* result = nullptr;
  int64_t weight = 1;
};

auto fields_of(Of<ReplayRow> auto& row) {
  const RecordedTask& task = *row.task;
  const MeasureResult& result = *row.result;
  const Region& region = task.space->task.spec.region;
  const auto seconds = seconds_of(result);
  const auto time = [&result](const std::optional<double>& seconds) {
    return microseconds_cell(seconds, print(result.status));
  };
  const auto if_valid = [&](double error) { return seconds ? std::optional(error) : std::nullopt; };
  return std::tuple(
      Field{"name", row.name, Column{"task"}}, Field{"spec", task.space->task.spec.text},
      Field{"weight", row.weight}, Field{"seconds", seconds_of(result), Column{"time (us)", time}},
      Field{"seconds_interval", seconds ? interval_of(result.samples) : std::nullopt,
            Column{"+/- (%)", kHalfWidth}},
      Field{"gflops", nominal_gflops(region, seconds), Column{"GFLOP/s"}},
      Field{"max_abs_error", if_valid(result.max_abs_error), Column{"max abs error"}},
      Field{"max_rel_error", if_valid(result.max_rel_error), Column{"max rel error"}},
      Field{"match", task.is_given ? "given" : print(task.match.level), Column{"match"}},
      Field{"record", or_null(task.match.name), Column{"record"}},
      Field{"algorithm", algorithm_of(task.candidate.trace),
            Column{"algorithm", PlainCell(), "GFLOP/s"}});
}

// There is a row for each task that was asked for.
std::vector<ReplayRow> rows_of(const Replay& replay) {
  std::vector<ReplayRow> rows;
  for_each_asked(replay.recorded, [&](const std::string& name, size_t index, int64_t weight) {
    rows.push_back({name, &replay.recorded.tasks[index], &replay.results[index], weight});
  });
  return rows;
}

std::string json_text(const ReplayOptions& options, const Replay& replay,
                      const std::vector<ReplayRow>& rows,
                      const std::vector<NetworkTotal>& networks) {
  const Target& target = replay.recorded.target;
  return result_json(
      "dovetail-replay-1",
      indented_json(std::tuple_cat(
          std::tuple(Field{"target", print(target.name)}, Field{"device", facets_of(target).name},
                     Field{"caches", replay.recorded.caches}, Field{"log", or_null(options.log)},
                     Field{"interrupted", false}, Field{"tasks", rows}),
          network_fields(networks))));
}

ExitCode exit_code(const Replay& replay, const Listener& listener) {
  ExitCode code = ExitCode::done;
  for (size_t i = 0; i < replay.results.size(); ++i) {
    const MeasureResult& result = replay.results[i];
    if (seconds_of(result)) continue;
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
  const std::vector<ReplayRow> rows = rows_of(replay);
  const std::vector<NetworkTotal> networks = networks_of(replay);
  put(json ? json_text(options, replay, rows, networks)
           : print(table_of(rows)) + (networks.empty() ? "" : "\n" + print(networks)));
  return exit_code(replay, listener);
}

}  // namespace

Result<ExitCode> replay_verb(Arguments arguments) {
  return parse_and_run<ReplayOptions>(
      "replay",
      "Runs the best trace of a log, or a trace of yours, for every task of the "
      "workloads.\n\n"
      "  dovetail replay gmm:m=512,n=512,k=512 --log gmm.jsonl --check\n",
      kReplayOptions, run_replay, std::move(arguments));
}

}  // namespace dovetail
