// SPDX-License-Identifier: Apache-2.0
// The verb `tune`: runs a campaign and reports its results.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/indented_json.h"
#include "campaign/tune/campaign.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/ir/region/work.h"
#include "core/record/line/record.h"
#include "core/record/statistics/network_total.h"
#include "report/tables/data_table.h"
#include "report/tables/log_tables.h"
#include "search/strategies/strategies.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

struct TaskRow {
  const Task& task;
  const TuneSummary& summary;
  // The best record's; none without one.
  std::optional<double> seconds = {}, gflops = {}, percent_of_peak = {}, percent_of_roof = {};
  std::string algorithm = "-", record = "-";
};

Result<std::vector<TaskRow>> rows_of(const CampaignPlan& plan, const CampaignResult& result) {
  std::vector<const Task*> tasks;
  for (const Task& task : plan.workloads.tasks) tasks.push_back(&task);
  for (const Task& task : result.placed) tasks.push_back(&task);
  std::vector<TaskRow> rows;
  for (const Task* asked : tasks) {
    const Task& task = *asked;
    const std::string& spec = task.spec.text;
    const auto found = result.tasks.find(spec);
    if (found == result.tasks.end()) continue;  // interrupted before its turn
    TaskRow& row = rows.emplace_back(TaskRow{.task = task, .summary = found->second});
    if (!row.summary.best) continue;
    row.seconds = row.summary.best->seconds;
    row.gflops = nominal_flops(task.spec.region) / *row.seconds * 1e-9;
    row.percent_of_peak = percent_of_peak(result.machine, task.spec.region, *row.seconds);
    const Trace trace = TRY(row.summary.best->record.trace.value());
    row.algorithm = algorithm_of(trace);
    row.percent_of_roof = percent_of_roof(result.machine, task.spec.region, trace, *row.seconds);
    row.record = print(RecordName{.log = plan.options.log,
                                  .campaign = result.campaign,
                                  .trial = row.summary.best->record.trial,
                                  .task = tasks.size() > 1 ? spec : std::string()});
  }
  return rows;
}

Json task_json(const TaskRow& row) {
  const TaskStats& stats = row.summary.stats;
  Json failed = Json::object();
  for (const auto& [status, count] : stats.failed) failed[std::string(print(status))] = count;
  Json json{{"name", row.task.name},
            {"spec", print(row.task.spec)},
            {"trials", stats.trials},
            {"valid", stats.valid},
            {"rejected", stats.rejected},
            {"failed", std::move(failed)},
            {"default_seconds", or_null(stats.default_seconds)},
            {"median_seconds", or_null(stats.median_seconds)},
            {"best_seconds", or_null(row.seconds)},
            {"best_gflops", or_null(row.gflops)},
            {"percent_of_peak", or_null(row.percent_of_peak)},
            {"percent_of_roof", or_null(row.percent_of_roof)},
            {"record", row.seconds ? Json(row.record) : Json()},
            {"algorithm", row.seconds ? Json(row.algorithm) : Json()}};
  if (stats.model) json["model"] = Json::parse(json_text(*stats.model));
  return json;
}

std::optional<NetworkTotal> network_of(const CampaignPlan& plan, const CampaignResult& result) {
  const auto times_of = [&](const std::string& spec) {
    const auto found = result.tasks.find(spec);
    if (found == result.tasks.end()) return TaskTimes();
    const TuneSummary& summary = found->second;
    TaskTimes times{.default_seconds = summary.stats.default_seconds};
    if (summary.best) times.seconds = summary.best->seconds;
    return times;
  };
  return network_total(layers_of(plan.workloads), times_of, plan.caches);
}

std::string json_text(const std::vector<TaskRow>& rows, const CampaignResult& result,
                      const std::optional<NetworkTotal>& network) {
  Json tasks = Json::array();
  for (const TaskRow& row : rows) tasks.push_back(task_json(row));
  MeasureTimes times;
  for (const auto& [spec, summary] : result.tasks) times += summary.stats.times;
  Json json{{"tasks", std::move(tasks)},
            {"wall_seconds", result.wall_seconds},
            {"time",
             {{"build", times.build_seconds},
              {"run", times.run_seconds},
              {"check", times.check_seconds},
              {"search", times.search_seconds},
              {"model", times.model_seconds}}}};
  if (network) json["network"] = Json::parse(json_text(*network));
  return indented_json(json);
}

std::string table_text(const std::vector<TaskRow>& rows,
                       const std::optional<NetworkTotal>& network) {
  std::vector<ModelOfTask> models;
  for (const TaskRow& row : rows)
    if (const auto& model = row.summary.stats.model) models.push_back({row.task.name, *model});
  using Row = const TaskRow&;
  const auto tied = [](Row row) {
    const auto& best = row.summary.best;
    return best ? count_cell(std::ssize(best->tied)) : number_cell(std::nullopt, 0);
  };
  return print_rows<TaskRow>(
             rows, {{"task", [](Row row) { return row.task.name; }},
                    {"trials", [](Row row) { return row.summary.stats.trials; }},
                    {"valid", [](Row row) { return row.summary.stats.valid; }},
                    {"default (us)",
                     [](Row row) { return microseconds_cell(row.summary.stats.default_seconds); }},
                    {"median (us)",
                     [](Row row) { return microseconds_cell(row.summary.stats.median_seconds); }},
                    {"best (us)", [](Row row) { return microseconds_cell(row.seconds); }},
                    {"algorithm", &TaskRow::algorithm},
                    {"GFLOP/s", [](Row row) { return significant_cell(row.gflops); }},
                    {"% of peak", [](Row row) { return number_cell(row.percent_of_peak, 1); }},
                    {"% of roof", [](Row row) { return number_cell(row.percent_of_roof, 1); }},
                    {"tied", tied},
                    {"record", &TaskRow::record}}) +
         model_table(models) + (network ? fmt::format("\n{}\n", print(*network)) : "");
}

std::string resume_command(const Arguments& arguments) {
  std::string command = "dovetail tune";
  for (const std::string& argument : arguments)
    if (argument != "--resume" && argument != "--append") command += " " + shell_word(argument);
  return command + " --resume";
}

// For one model on a CPU, else empty.
std::string build_command(const TuneOptions& options) {
  const bool is_model = options.workloads.size() == 1 && options.workloads[0].ends_with(".onnx");
  if (!is_model || !options.target.starts_with("cpu")) return "";
  std::string command = "\n  dovetail build " + shell_word(options.workloads[0]);
  for (const std::string& shape : options.shapes) command += " --shape " + shell_word(shape);
  for (const std::string& held : options.constants) command += " --constant " + shell_word(held);
  return command + fmt::format(" --target {} --log {} -o package    makes a library of the network",
                               shell_word(options.target), shell_word(options.log));
}

// Commands that most people run next.
std::string next_commands(const TuneOptions& options) {
  std::string replay = "dovetail replay";
  for (const std::string& workload : options.workloads) replay += " " + shell_word(workload);
  for (const std::string& shape : options.shapes) replay += " --shape " + shell_word(shape);
  for (const std::string& held : options.constants) replay += " --constant " + shell_word(held);
  if (!options.border.empty()) replay += " --border " + shell_word(options.border);
  const std::string log = shell_word(options.log);
  return fmt::format(
             "next:\n  {} --target {} --log {} --check    runs the best again\n"
             "  dovetail report {} -o {}    shows what was found, and how",
             replay, shell_word(options.target), log, log, shell_word(options.log + ".html")) +
         build_command(options);
}

ExitCode exit_code(const CampaignPlan& plan, const CampaignResult& result) {
  if (result.interrupted) return ExitCode::interrupted;
  if (!result.device_error.empty()) return ExitCode::device_failure;
  for (const TaskSpace& space : plan.spaces) {
    const auto found = result.tasks.find(space.task.spec.text);
    if (found == result.tasks.end()) return ExitCode::no_candidate;
    const TuneSummary& summary = found->second;
    if (summary.was_tried() && !summary.best) return ExitCode::no_candidate;
  }
  return ExitCode::done;
}

Result<ExitCode> run_tune(const TuneOptions& options, const Arguments& arguments, bool json) {
  TRY(check(options));
  const std::string resume = resume_command(arguments);
  catch_interrupts(fmt::format(
      "\ndovetail: interrupted at once; what the log has is saved; continue with:\n{}\n", resume));
  const Listener listener = listener_on_stderr();
  const CampaignPlan plan = TRY(plan_campaign(options));
  const CampaignResult result = TRY(run_campaign(plan, listener));
  const std::vector<TaskRow> rows = TRY(rows_of(plan, result));
  const std::optional<NetworkTotal> network = network_of(plan, result);
  put(json ? json_text(rows, result, network) : table_text(rows, network));
  std::fflush(stdout);  // messages come after it
  const bool is_done = !result.interrupted && result.device_error.empty();
  if (is_done && !json && options.results_from.empty()) tell(next_commands(options));
  if (result.interrupted)
    tell("interrupted; everything measured is saved; continue with:\n" + resume);
  if (!result.device_error.empty())
    tell(fmt::format("the device was lost: {}; continue with:\n{}", printable(result.device_error),
                     resume));
  if (!result.save_error.empty()) return fail(result.save_error);
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
    for (const OptionHelp& option : entry.describe_options())
      text += fmt::format("    {:18} {}\n", option.name + "=" + option.otherwise, option.meaning);
  }
  text.pop_back();
  return text;
}

// The experiment file: any of a verb's options, as one JSON object. It is the method section of a
// paper, and goes into the log's header as it is.
//
//   {"workloads": ["@nine.txt"], "target": "cpu", "trials": 300, "no-default": true}
//
// Keys are the options' long names without the dashes (`_` may stand for `-`).
struct Experiment {
  std::string json;                    // the file's object on one line
  std::vector<std::string> arguments;  // to add to the command line
};

bool is_given(const std::vector<std::string>& given, const std::string& option) {
  return std::ranges::any_of(given, [&](const std::string& argument) {
    return argument == option || argument.starts_with(option + "=");
  });
}

Result<std::string> scalar_text(const std::string& path, const std::string& key,
                                const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  return fail("{}: key '{}' is {}, expected a text, a number, true or false", path, key,
              value.dump());
}

Result<void> add_workloads(const std::string& path, const Json& value,
                           std::vector<std::string>& arguments) {
  const std::string expected = "key 'workloads' must be a list of texts";
  if (!value.is_array()) return fail("{}: {}", path, expected);
  for (const Json& workload : value) {
    if (!workload.is_string()) return fail("{}: {}", path, expected);
    arguments.push_back(workload.get<std::string>());
  }
  return {};
}

Result<void> add_option(const std::string& path, const std::string& key, const Json& value,
                        const std::vector<std::string>& given,
                        std::vector<std::string>& arguments) {
  std::string option = "--" + key;
  std::ranges::replace(option, '_', '-');
  if (option == "--experiment") return fail("{}: an experiment cannot name another one", path);
  if (is_given(given, option)) return {};
  if (value.is_boolean()) {
    if (value.get<bool>()) arguments.push_back(option);
    return {};
  }
  // A list is an option given several times.
  const Json values = value.is_array() ? value : Json::array({value});
  for (const Json& one : values)
    arguments.push_back(option + "=" + TRY(scalar_text(path, key, one)));
  return {};
}

// `given`: the command line's own arguments, which take precedence over the file's options, and
// over its workloads if there are any.
Result<Experiment> read_experiment(const std::string& path, const std::vector<std::string>& given,
                                   bool has_workloads) {
  const std::string text = TRY(read_file(path));
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail("experiment {} is no JSON object of options", path);
  Experiment experiment{.json = json.dump(-1, ' ', false, Json::error_handler_t::replace),
                        .arguments = {}};
  for (const auto& [key, value] : json.items()) {
    if (key == "workloads") {
      if (!has_workloads) TRY(add_workloads(path, value, experiment.arguments));
    } else {
      TRY(add_option(path, key, value, given, experiment.arguments));
    }
  }
  return experiment;
}

// For --help only: its options are put into the arguments before those are parsed.
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
  VerbParser parser("tune",
                    "Searches for the fastest candidate of every task of the workloads.\n\n"
                    "  dovetail tune gmm:m=512,n=512,k=512 --trials 300 --log gmm.jsonl\n");
  add_options(parser, options);
  parser.footer(strategy_help());
  options.experiment = TRY(expand_experiment(arguments));
  ExperimentFile taken_out;
  parser.add<ExperimentFile>(kExperimentOptions, taken_out);
  if (TRY(parser.parse(std::move(arguments)))) return parser.print_help();
  return run_tune(options, given, parser.wants_json());
}

}  // namespace dovetail
