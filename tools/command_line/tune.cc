// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tools/command_line/verb_parser.h"
#include "tools/experiment.h"
#include "tools/strategy_help.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

void add_options(VerbParser& parser, TuneOptions& options) {
  parser.workloads(options.workloads);
  parser.target(options.target);
  parser.count("--trials", options.trials, "candidates to measure, a task");
  parser.positive("--seconds", options.seconds, "time limit, a task");
  parser.count("--patience", options.patience, "stop after so many trials without a better one");
  parser.text("--schedule", options.schedule,
              "of tasks: in_turn, or gradient: where the workload's time falls most");
  parser.count("--total-trials", options.total_trials, "of gradient: what all tasks share");
  parser.positive("--total-seconds", options.total_seconds, "of gradient: what all tasks share");
  parser.text("--strategy", options.strategy,
              "what proposes candidates: NAME or NAME:OPTION=VALUE,... (below)");
  parser.text("--variant", options.variant, "what is searched: joint, no_texture, loop_only");
  parser.text("--layout", options.layout,
              "of loop_only: nohw, nhwo, hwon or nohw16o, for every tensor");
  parser.text("--cost-model", options.cost_model,
              "what ranks candidates: none, random, roofline, xgboost");
  parser.text("--warm-start", options.warm_start,
              "FILE that --save-model wrote: what xgboost begins with");
  parser.text("--save-model", options.save_model,
              "FILE for what xgboost learnt, of all tasks together");
  parser.text("--agent", options.agent,
              "FILE that pretrain or --save-agent wrote: what ppo begins with");
  parser.text("--save-agent", options.save_agent,
              "FILE for what ppo's agent learnt; it goes from task to task");
  parser.seed("--seed", options.seed, "of everything random");
  parser.text("--log", options.log, "file of records (required)");
  parser.shapes(options.shapes);
  parser.flag("--resume", options.resume, "continue the campaign of the log");
  parser.flag("--append", options.append, "add a campaign to the log");
  parser.flag("--no-default", options.no_default, "do not measure the default trace first");
  parser.flag("--cold", options.cold,
              "time every run with the operands out of the caches (CPU targets)");
  parser.repeated("--results-from", options.results_from,
                  "a log or measured space that answers instead of a device; what it lacks is "
                  "rejected");
  parser.text("--space", options.space,
              "whole, or reduced: domains cut down around the default, as bruteforce does");
  parser.count("--points", options.points, "of a reduced space, at most");
  parser.json(options.json);
  parser.footer(strategy_help());
}

Result<void> check(const TuneOptions& options) {
  if (options.workloads.empty()) return fail("tune: no WORKLOAD given; see dovetail tune --help");
  if (options.log.empty()) return fail("tune: --log FILE is missing: every measurement goes there");
  if (options.space != "whole" && options.space != "reduced") {
    return fail(
        fmt::format("tune: unknown --space '{}'; expected whole or reduced", options.space));
  }
  if (options.resume && options.append) {
    return fail("tune: --resume and --append exclude each other: continue a campaign, or add one");
  }
  if (options.cold && !options.results_from.empty()) {
    return fail("tune: --cold is of measurements, and with --results-from nothing is measured");
  }
  if (!options.save_agent.empty() && options.schedule != "in_turn") {
    return fail("tune: --save-agent is of --schedule in_turn: its agent goes from task to task");
  }
  const bool shared = options.total_trials || options.total_seconds;
  if (options.schedule != "in_turn" && options.schedule != "gradient") {
    return fail("tune: unknown --schedule '" + options.schedule +
                "'; expected in_turn or gradient");
  }
  if (options.schedule == "in_turn" && shared) {
    return fail("tune: --total-trials and --total-seconds are of --schedule gradient");
  }
  if (options.schedule == "gradient" && !shared) {
    return fail("tune: --schedule gradient shares --total-trials N or --total-seconds S: give one");
  }
  return {};
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

Result<Action> parse_tune(Arguments arguments) {
  TuneOptions options;
  options.arguments = arguments;
  VerbParser parser("tune", "Searches for the fastest candidate of every task of the workloads.");
  add_options(parser, options);
  options.experiment = TRY(expand_experiment(arguments));
  std::string taken_out;
  parser.text("--experiment", taken_out, "FILE.json with any of these options");
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  TRY(check(options));
  return Action([options = std::move(options)] { return run_tune(options); });
}

}  // namespace dovetail
