// SPDX-License-Identifier: Apache-2.0
// The verb `tune`: runs a campaign and reports what it came to.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/campaign.h"
#include "core/base/text.h"
#include "core/ir/region/work.h"
#include "core/record/line/record.h"
#include "report/tables/log_tables.h"
#include "report/tables/table.h"
#include "search/strategies/strategies.h"
#include "tools/command_line/experiment.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

struct TaskRow {
  const Task& task;
  const TuneSummary& summary;
  // Of the winner; nothing when there is none.
  std::optional<double> seconds = {}, gflops = {}, percent_of_peak = {}, percent_of_roof = {};
  std::string record = "-";
};

std::vector<TaskRow> rows_of(const CampaignPlan& plan, const CampaignResult& result) {
  std::vector<TaskRow> rows;
  for (const Task& task : plan.workloads.tasks) {
    const std::string spec = print(task.spec);
    const auto found = result.tasks.find(spec);
    if (found == result.tasks.end()) continue;  // interrupted before its turn
    TaskRow& row = rows.emplace_back(TaskRow{.task = task, .summary = found->second});
    if (!row.summary.best) continue;
    row.seconds = row.summary.best->seconds;
    row.gflops = nominal_flops(task.spec.region) / *row.seconds * 1e-9;
    row.percent_of_peak = percent_of_peak(result.machine, task.spec.region, *row.seconds);
    row.percent_of_roof = percent_of_roof(result.machine, task.spec.region, *row.seconds);
    row.record = print(RecordName{.log = plan.options.log,
                                  .campaign = result.campaign,
                                  .trial = row.summary.best->record.trial,
                                  .task = plan.spaces.size() > 1 ? spec : std::string()});
  }
  return rows;
}

Json optional_json(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json task_json(const TaskRow& row) {
  const TuneSummary& summary = row.summary;
  Json failed = Json::object();
  for (const auto& [status, count] : summary.stats.failed)
    failed[std::string(print(status))] = count;
  Json json{{"name", row.task.name},
            {"spec", print(row.task.spec)},
            {"trials", summary.stats.trials},
            {"valid", summary.stats.valid},
            {"rejected", summary.stats.rejected},
            {"failed", std::move(failed)}};
  json["default_seconds"] = optional_json(summary.stats.default_seconds);
  json["median_seconds"] = optional_json(summary.stats.median_seconds);
  json["best_seconds"] = optional_json(row.seconds);
  json["best_gflops"] = optional_json(row.gflops);
  json["percent_of_peak"] = optional_json(row.percent_of_peak);
  json["percent_of_roof"] = optional_json(row.percent_of_roof);
  json["record"] = row.seconds ? Json(row.record) : Json();
  if (summary.stats.model) json["model"] = Json::parse(json_text(*summary.stats.model));
  return json;
}

std::string json_text(const std::vector<TaskRow>& rows, const CampaignResult& result) {
  Json tasks = Json::array();
  for (const TaskRow& row : rows) tasks.push_back(task_json(row));
  MeasureTimes times;
  for (const auto& [spec, summary] : result.tasks) times += summary.stats.times;
  const Json json{{"tasks", std::move(tasks)},
                  {"wall_seconds", result.wall_seconds},
                  {"time",
                   {{"build", times.build_seconds},
                    {"run", times.run_seconds},
                    {"check", times.check_seconds},
                    {"search", times.search_seconds},
                    {"model", times.model_seconds}}}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string percent_text(std::optional<double> percent) {
  return percent ? fmt::format("{:.1f}", *percent) : "-";
}

std::string table_text(const std::vector<TaskRow>& rows) {
  Table table({{"task", Align::left},
               {"trials"},
               {"valid"},
               {"default (us)"},
               {"median (us)"},
               {"best (us)"},
               {"GFLOP/s"},
               {"% of peak"},
               {"% of roof"},
               {"tied"},
               {"record", Align::left}});
  std::vector<ModelOfTask> models;
  for (const TaskRow& row : rows) {
    const TuneSummary& summary = row.summary;
    table.add_row({row.task.name, fmt::format("{}", summary.stats.trials),
                   fmt::format("{}", summary.stats.valid),
                   microseconds(summary.stats.default_seconds),
                   microseconds(summary.stats.median_seconds), microseconds(row.seconds),
                   significant(row.gflops), percent_text(row.percent_of_peak),
                   percent_text(row.percent_of_roof),
                   summary.best ? fmt::format("{}", summary.best->tied.size()) : "-", row.record});
    if (summary.stats.model) models.push_back({row.task.name, *summary.stats.model});
  }
  return print(table) + model_table(models);
}

std::string resume_command(const Arguments& arguments) {
  std::string command = "dovetail tune";
  for (const std::string& argument : arguments) {
    if (argument != "--resume" && argument != "--append") command += " " + shell_word(argument);
  }
  return command + " --resume";
}

ExitCode exit_code(const CampaignPlan& plan, const CampaignResult& result) {
  if (result.interrupted) return ExitCode::interrupted;
  if (!result.device_error.empty()) return ExitCode::device_failure;
  for (const TaskSpace& space : plan.spaces) {
    const auto found = result.tasks.find(space.spec);
    if (found == result.tasks.end() || !found->second.best) return ExitCode::no_candidate;
  }
  return ExitCode::done;
}

Result<ExitCode> run_tune(const TuneOptions& options, const Arguments& arguments, bool json) {
  TRY(check(options));
  catch_interrupts();
  const Listener listener = listener_on_stderr();
  const CampaignPlan plan = TRY(plan_campaign(options));
  const CampaignResult result = TRY(run_campaign(plan, listener));
  const std::vector<TaskRow> rows = rows_of(plan, result);
  std::fputs((json ? json_text(rows, result) : table_text(rows)).c_str(), stdout);
  if (result.interrupted) {
    listener.note("interrupted; everything measured is saved; continue with:\n" +
                  resume_command(arguments));
  }
  if (!result.device_error.empty()) {
    listener.note(fmt::format("the device was lost: {}; continue with:\n{}", result.device_error,
                              resume_command(arguments)));
  }
  return exit_code(plan, result);
}

// The strategies and their options, as `tune --help` lists them:
//
//   strategies:
//     random          every parameter evenly from its domain
//     annealing       walks that accept worse candidates ever less often (AutoTVM)
//       chains=4        walks side by side
std::string strategy_help() {
  std::string text = "strategies:\n";
  for (const StrategyEntry& entry : strategies()) {
    text += fmt::format("  {:20} {}\n", entry.name, entry.meaning);
    for (const OptionHelp& option : entry.describe_options()) {
      text += fmt::format("    {:18} {}\n", option.name + "=" + option.otherwise, option.meaning);
    }
  }
  text.pop_back();
  return text;
}

// Its options are in the arguments before those are parsed; this is for --help.
struct ExperimentFile {
  std::string path;
};
constexpr Option<ExperimentFile> kExperimentOptions[] = {
    {"--experiment", &ExperimentFile::path, "FILE.json with any of these options"}};

void add_options(VerbParser& parser, TuneOptions& options) {
  parser.add(tune_option_table(), options);
  parser.add_json();
}

// Takes --experiment out of the arguments and puts the file's options in; gives the file's object.
Result<std::string> expand_experiment(Arguments& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string path;
    size_t taken = 1;
    if (arguments[i].starts_with("--experiment=")) {
      path = arguments[i].substr(std::string("--experiment=").size());
    } else if (arguments[i] == "--experiment") {
      if (i + 1 == arguments.size()) return fail("tune: --experiment needs a FILE.json");
      path = arguments[i + 1];
      taken = 2;
    } else {
      continue;
    }
    arguments.erase(arguments.begin() + static_cast<ptrdiff_t>(i),
                    arguments.begin() + static_cast<ptrdiff_t>(i + taken));
    TuneOptions probe;
    VerbParser parser("tune", "");
    add_options(parser, probe);
    if (TRY(parser.parse(arguments))) return std::string();
    const Experiment experiment = TRY(read_experiment(path, arguments, !probe.workloads.empty()));
    arguments.insert(arguments.end(), experiment.arguments.begin(), experiment.arguments.end());
    return experiment.json;
  }
  return std::string();
}

}  // namespace

Result<ExitCode> tune_verb(Arguments arguments) {
  TuneOptions options;
  const Arguments given = arguments;
  VerbParser parser("tune", "Searches for the fastest candidate of every task of the workloads.");
  add_options(parser, options);
  parser.footer(strategy_help());
  options.experiment = TRY(expand_experiment(arguments));
  ExperimentFile taken_out;
  parser.add<ExperimentFile>(kExperimentOptions, taken_out);
  if (TRY(parser.parse(std::move(arguments)))) return parser.print_help();
  return run_tune(options, given, parser.wants_json());
}

}  // namespace dovetail
