// SPDX-License-Identifier: Apache-2.0
// The verb `run`: one spec on arrays of one's own, checked, its outputs as files.
#include "campaign/run/run.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "report/tables/table.h"
#include "tools/command_line/verb_parser.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

struct RunCommand : RunSpecOptions {
  std::vector<std::string> specs;
};

constexpr Option<RunCommand> kRunOptions[] = {
    {"SPEC", &RunCommand::specs, "operator, sum or region (docs/workloads.md)"},
    {"--target", &RunCommand::target, kTargetHelp},
    {"--log", &RunCommand::log, "file of records: the best trace; without it the default trace"},
    {"--inputs", &RunCommand::inputs,
     "folder with input_0.npy, input_1.npy, ... in the order of the spec; without it random "
     "numbers"},
    {"--outputs", &RunCommand::outputs, "folder for output_0.npy, ..."},
    {"--seed", &RunCommand::seed, "of random inputs"},
};

using Json = nlohmann::ordered_json;

std::string json_text(const Run& run) {
  Json rows = Json::array();
  for (const RunRow& row : run.rows) {
    const bool has_run = row.seconds.has_value();
    Json json{{"name", row.name}};
    json["seconds"] = has_run ? Json(*row.seconds) : Json();
    json["max_abs_error"] = has_run ? Json(row.max_abs_error) : Json();
    json["max_rel_error"] = has_run ? Json(row.max_rel_error) : Json();
    json["right"] = row.reason.empty();
    json["match"] = std::string(print(row.match.level));
    json["record"] = row.match.best ? Json(row.match.name) : Json();
    json["outputs"] = row.files;
    rows.push_back(std::move(json));
  }
  return Json{{"rows", std::move(rows)}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string table_text(const Run& run) {
  Table table({{"spec", Align::left},
               {"time (us)"},
               {"max abs error"},
               {"max rel error"},
               {"right", Align::left},
               {"trace", Align::left}});
  for (const RunRow& row : run.rows) {
    const std::string trace = row.match.best ? row.match.name : std::string(print(row.match.level));
    if (!row.seconds) {
      table.add_row({row.name, "-", "-", "-", "did not run", trace});
      continue;
    }
    table.add_row({row.name, microseconds(*row.seconds), significant(row.max_abs_error),
                   significant(row.max_rel_error), row.reason.empty() ? "yes" : "no", trace});
  }
  return print(table);
}

Result<ExitCode> run_run(RunCommand options, bool json) {
  if (options.specs.size() != 1)
    return fail(fmt::format("run: {} specs given, expected one", options.specs.size()));
  options.spec = options.specs.front();
  const Listener listener = listener_on_stderr();
  const Run run = TRY(run_spec(options, listener));
  std::fputs((json ? json_text(run) : table_text(run)).c_str(), stdout);
  ExitCode code = ExitCode::done;
  for (const RunRow& row : run.rows) {
    if (row.reason.empty()) continue;
    listener.note(fmt::format("{}: {}", row.name, row.reason));
    code = ExitCode::no_candidate;
  }
  return code;
}

}  // namespace

Result<ExitCode> run_verb(Arguments arguments) {
  return parse_and_run<RunCommand>("run",
                                   "Runs one spec, checks what it computes and gives its outputs.",
                                   kRunOptions, run_run, std::move(arguments));
}

}  // namespace dovetail
