// SPDX-License-Identifier: Apache-2.0
// The verb `replay`: runs and checks the best traces of a log, or a given trace, again.
#include "campaign/replay.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/indented_json.h"
#include "core/ir/region/work.h"
#include "core/record/statistics/network_total.h"
#include "report/tables/data_table.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

constexpr Option<ReplayOptions> kReplayOptions[] = {
    {"WORKLOAD", &ReplayOptions::workloads, kWorkloadHelp},
    {"--target", &ReplayOptions::target, kTargetHelp},
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
     .otherwise = "as the log's times are"},
};

bool is_valid(const MeasureResult& result) { return result.status == Status::ok; }

struct ReplayRow {
  std::string name;
  Status status = Status::ok;
  std::optional<double> seconds = {}, gflops = {}, max_abs_error = {}, max_rel_error = {};
  std::string algorithm, match;
  std::string record = {};  // empty: none
};

// There is a row for each task that was asked for.
std::vector<ReplayRow> rows_of(const Replay& replay) {
  std::vector<ReplayRow> rows;
  for_each_asked(replay.recorded, [&](const std::string& name, size_t index) {
    const RecordedTask& task = replay.recorded.tasks[index];
    const MeasureResult& result = replay.results[index];
    ReplayRow& row = rows.emplace_back(
        ReplayRow{.name = name,
                  .status = result.status,
                  .algorithm = algorithm_of(task.candidate.trace),
                  .match = task.is_given ? "given" : std::string(print(task.match.level)),
                  .record = task.match.name});
    if (!is_valid(result)) return;
    row.seconds = result.seconds;
    row.gflops = nominal_flops(task.space->task.spec.region) / result.seconds * 1e-9;
    row.max_abs_error = result.max_abs_error;
    row.max_rel_error = result.max_rel_error;
  });
  return rows;
}

std::optional<NetworkTotal> network_of(const Replay& replay) {
  const auto times_of = [&](const std::string& spec) {
    TaskTimes times;
    for (size_t i = 0; i < replay.results.size(); ++i) {
      const bool is_its = replay.recorded.tasks[i].space->task.spec.text == spec;
      if (is_its && is_valid(replay.results[i])) times.seconds = replay.results[i].seconds;
    }
    return times;
  };
  return network_total(layers_of(replay.recorded.workloads), times_of, replay.recorded.caches);
}

std::string json_text(const std::vector<ReplayRow>& rows,
                      const std::optional<NetworkTotal>& network) {
  Json tasks = Json::array();
  for (const ReplayRow& row : rows) {
    tasks.push_back({{"name", row.name},
                     {"seconds", or_null(row.seconds)},
                     {"gflops", or_null(row.gflops)},
                     {"max_abs_error", or_null(row.max_abs_error)},
                     {"max_rel_error", or_null(row.max_rel_error)},
                     {"match", row.match},
                     {"record", or_null(row.record)},
                     {"algorithm", row.algorithm}});
  }
  Json json{{"tasks", std::move(tasks)}};
  if (network) json["network"] = Json::parse(json_text(*network));
  return indented_json(json);
}

std::string table_text(const std::vector<ReplayRow>& rows,
                       const std::optional<NetworkTotal>& network) {
  using Row = const ReplayRow&;
  return print_rows<ReplayRow>(
             rows, {{"task", &ReplayRow::name},
                    {"time (us)",
                     [](Row row) { return microseconds_cell(row.seconds, print(row.status)); }},
                    {"algorithm", &ReplayRow::algorithm},
                    {"GFLOP/s", [](Row row) { return significant_cell(row.gflops); }},
                    {"max abs error", [](Row row) { return significant_cell(row.max_abs_error); }},
                    {"max rel error", [](Row row) { return significant_cell(row.max_rel_error); }},
                    {"match", &ReplayRow::match},
                    {"record", [](Row row) { return row.record.empty() ? "-" : row.record; }}}) +
         (network ? fmt::format("\n{}\n", print(*network)) : "");
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
  const std::vector<ReplayRow> rows = rows_of(replay);
  const std::optional<NetworkTotal> network = network_of(replay);
  put(json ? json_text(rows, network) : table_text(rows, network));
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
