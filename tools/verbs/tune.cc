// SPDX-License-Identifier: Apache-2.0
// The verb `tune`: runs a campaign and reports its results.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "campaign/indented_json.h"
#include "campaign/inspect.h"
#include "campaign/tune/campaign.h"
#include "campaign/tune/dry_run.h"
#include "campaign/tune/task_results.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/record/line/times_fields.h"
#include "core/record/statistics/network_total.h"
#include "report/charts/scale.h"
#include "report/pages/commands.h"
#include "report/tables/log_tables.h"
#include "report/tables/row_table.h"
#include "search/strategies/strategies.h"
#include "tools/command_line/experiment.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {

auto fields_of(Of<TaskResult> auto& task) {
  auto& stats = task.stats;
  return std::tuple(
      Field{"name", task.name, Column{"task"}}, Field{"spec", task.spec},
      Field{"weight", task.weight}, Field{"trials", stats.trials, Column{"trials"}},
      Field{"valid", stats.valid, Column{"valid"}}, Field{"rejected", stats.rejected},
      Field{"failed", stats.failed},
      Field{"default_seconds", stats.default_seconds, Column{"default (us)", kMicroseconds}},
      Field{"median_seconds", stats.median_seconds},
      Field{"best_seconds", task.seconds, Column{"best (us)", kMicroseconds}},
      Field{"best_seconds_interval", task.interval, Column{"+/- (%)", kHalfWidth}},
      Field{"best_gflops", task.gflops, Column{"GFLOP/s"}},
      Field{"percent_of_peak", task.percent_of_peak, Column{"% of peak", digits(1)}},
      Field{"percent_of_roof", task.percent_of_roof, Column{"% of roof", digits(1)}},
      Field{"", task.tied, Column{"tied", digits(0)}, Presence::not_written},
      Field{"record", task.record, Column{"record"}},
      Field{"algorithm", task.algorithm, Column{"algorithm", PlainCell(), "GFLOP/s"}},
      unless_empty("model", stats.model));
}

auto fields_of(Of<DryTask> auto& task) {
  return std::tuple(Field{"name", task.name, Column{"task"}}, Field{"spec", task.spec},
                    Field{"weight", task.weight, Column{"weight"}},
                    Field{"points", task.points, Column{"points of its space"}});
}

namespace {

bool is_whole(const CampaignResult& result) {
  return !result.interrupted && result.device_error.empty();
}

std::string json_text(const CampaignPlan& plan, const CampaignResult& result,
                      const std::vector<TaskResult>& tasks,
                      const std::vector<NetworkTotal>& networks) {
  return result_json(
      "dovetail-tune-1",
      indented_json(std::tuple_cat(
          std::tuple(Field{"target", print(plan.target.name)}, Field{"device", plan.device.name},
                     Field{"caches", plan.caches}, Field{"log", plan.options.log},
                     Field{"campaign", result.campaign}, Field{"seed", plan.options.seed},
                     Field{"interrupted", !is_whole(result)}, Field{"tasks", tasks},
                     Field{"wall_seconds", result.wall_seconds}, Field{"time", times_of(result)}),
          network_fields(networks))));
}

// "not confirmed, each time is that of one trial: conv1, fc"; empty where all are.
std::string unconfirmed_text(const std::vector<TaskResult>& tasks) {
  std::vector<std::string> names;
  for (const TaskResult& task : tasks)
    if (task.seconds && !task.is_confirmed) names.push_back(task.name);
  if (names.empty()) return "";
  return fmt::format("not confirmed, each time is that of one trial: {}\n", first_names(names));
}

std::string table_text(const CampaignResult& result, const std::vector<TaskResult>& tasks,
                       const std::vector<NetworkTotal>& networks) {
  std::vector<ModelOfTask> models;
  for (const TaskResult& task : tasks)
    if (task.stats.model) models.push_back({task.name, *task.stats.model});
  return print(table_of(tasks)) + (is_whole(result) ? "" : unconfirmed_text(tasks)) +
         model_table(models) + (networks.empty() ? "" : "\n" + print(networks));
}

std::string resume_command(Arguments arguments) {
  std::erase_if(arguments, [](const std::string& argument) {
    return argument == "--resume" || argument == "--append";
  });
  return command_line("tune", arguments) + " --resume";
}

// "dovetail VERB WORKLOAD... --target T --log F" with what the campaign was told of its models.
std::string command_of(const std::string& verb, const TuneOptions& options) {
  std::string command = "\n  dovetail " + verb;
  for (const std::string& workload : options.workloads) command += " " + shell_word(workload);
  for (const std::string& shape : options.shapes) command += " --shape " + shell_word(shape);
  for (const std::string& held : options.constants) command += " --constant " + shell_word(held);
  return command +
         fmt::format(" --target {} --log {}", shell_word(options.target), shell_word(options.log));
}

// The purpose of a campaign of models: each network, run and built.
std::string network_commands(const TuneOptions& options) {
  const std::string exact = options.exact ? " --exact" : "";
  std::string commands;
  for (const std::string& workload : options.workloads) {
    if (!is_model(workload)) continue;
    TuneOptions of_one = options;
    of_one.workloads = {workload};
    const std::string folder =
        options.workloads.size() == 1 ? "package" : shell_word(package_of(workload));
    commands += command_of("run", of_one) + exact +
                " --variant global    chooses the fastest network, runs it, and keeps it in the "
                "log" +
                command_of("build", of_one) + exact + " -o " + folder +
                "    makes a library of that network";
  }
  return commands;
}

// The page of a log: resnet18.jsonl.gz -> resnet18.html
std::string page_of(std::string log) {
  for (const std::string_view ending : {".gz", ".jsonl"})
    if (log.size() > ending.size() && log.ends_with(ending)) log.erase(log.size() - ending.size());
  return log + ".html";
}

// Commands that most people run next.
std::string next_commands(const TuneOptions& options) {
  const std::string border =
      options.border.empty() ? "" : " --border " + shell_word(options.border);
  return "next:" + network_commands(options) + command_of("replay", options) + border +
         " --check    runs the best of each task again" +
         fmt::format("\n  dovetail report {} -o {}    shows what was found, and how",
                     shell_word(options.log), shell_word(page_of(options.log)));
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

std::string dry_json(const CampaignPlan& plan, const DryRun& dry) {
  return result_json(
      "dovetail-tune-dry-run-1",
      indented_json(std::tuple(Field{"target", print(plan.target.name)},
                               Field{"device", plan.device.name},
                               Field{"log", or_null(plan.options.log)}, Field{"tasks", dry.tasks},
                               Field{"trials", dry.trials}, Field{"known_trials", dry.known_trials},
                               Field{"suggested_trials", dry.suggested_trials},
                               Field{"seconds_per_trial", dry.seconds_per_trial},
                               Field{"seconds_per_trial_from", dry.is_measured ? "log" : "assumed"},
                               Field{"seconds", dry.seconds})));
}

// A budget for tasks to share; a single one shares with none.
std::string suggestion(const DryRun& dry) {
  if (!dry.suggested_trials) return "";
  return fmt::format(
      "suggested: --schedule gradient --total-trials {}, about {}\n", *dry.suggested_trials,
      duration_text(static_cast<double>(*dry.suggested_trials) * dry.seconds_per_trial));
}

std::string dry_text(const DryRun& dry) {
  const std::string trials = dry.trials ? counted(*dry.trials, "trial") : "no limit of trials";
  const std::string known =
      dry.known_trials > 0 ? fmt::format(", {} of them in the log", dry.known_trials) : "";
  return print(table_of(dry.tasks)) +
         fmt::format(
             "\n{}, {}{}: about {}, by {:.2g} s a trial ({})\n", counted(dry.tasks.size(), "task"),
             trials, known, duration_text(dry.seconds), dry.seconds_per_trial,
             dry.is_measured ? "as the log's took" : "assumed; a log of this machine has it") +
         suggestion(dry);
}

// No log is written, so none need be named.
Result<ExitCode> run_dry(TuneOptions options, bool json) {
  const std::string log = options.log;
  if (log.empty()) options.log = "none";
  TRY(check(options));
  options.log = log;
  const CampaignPlan plan = TRY(plan_campaign(options));
  const DryRun dry = TRY(dry_run(plan));
  put(json ? dry_json(plan, dry) : dry_text(dry));
  if (const std::string note = note_of_budget(plan); !note.empty()) tell(note);
  return ExitCode::done;
}

Result<ExitCode> run_tune(const TuneOptions& options, const Arguments& arguments, bool json) {
  TRY(check(options));
  const std::string resume = resume_command(arguments);
  catch_interrupts(resume);
  const Listener listener = listener_on_stderr();
  const CampaignPlan plan = TRY(plan_campaign(options));
  if (const std::string note = note_of_budget(plan); !note.empty()) listener.note(note);
  const CampaignResult result = TRY(run_campaign(plan, listener));
  std::vector<TaskResult> tasks = TRY(task_results(plan, result));
  std::erase_if(tasks, [](const TaskResult& task) { return !task.was_reached; });
  const std::vector<NetworkTotal> networks = networks_of(plan, result);
  put(json ? json_text(plan, result, tasks, networks) : table_text(result, tasks, networks));
  std::fflush(stdout);  // messages come after it
  if (is_whole(result) && !json && options.results_from.empty()) tell(next_commands(options));
  const bool confirming = was_confirming(result);
  if (result.interrupted)
    tell_how_to_continue("interrupted; everything measured is saved", confirming, resume);
  if (!result.device_error.empty())
    tell_how_to_continue("the device was lost: " + printable(result.device_error), confirming,
                         resume);
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

// Other things than a campaign that `tune` does.
struct TuneCommand : TuneOptions {
  bool is_dry = false;
};
constexpr Option<TuneCommand> kCommandOptions[] = {
    {"--dry-run", &TuneCommand::is_dry,
     "list the tasks, their spaces, a budget and the time it takes; measure and write nothing"}};

void add_options(VerbParser& parser, TuneCommand& options) {
  parser.add<TuneOptions>(tune_option_table(), options);
  parser.add<TuneCommand>(kCommandOptions, options);
  parser.add_json();
}

}  // namespace

Result<ExitCode> tune_verb(Arguments arguments) {
  TuneCommand options;
  const Arguments given = arguments;
  VerbParser parser(
      "tune",
      "Searches for the fastest candidate of every task of the workloads.\n\n"
      "  dovetail tune resnet18.onnx --schedule gradient --total-trials 800 --log resnet18.jsonl\n"
      "  dovetail tune gmm:m=512,n=512,k=512 --trials 300 --log gmm.jsonl\n");
  add_options(parser, options);
  parser.footer(strategy_help());
  options.experiment = TRY(expand_experiment<TuneCommand>("tune", add_options, arguments));
  ExperimentFile taken_out;
  parser.add<ExperimentFile>(kExperimentOptions, taken_out);
  if (TRY(parser.parse(std::move(arguments)))) return parser.print_help();
  if (options.is_dry) return run_dry(options, parser.wants_json());
  return run_tune(options, given, parser.wants_json());
}

}  // namespace dovetail
