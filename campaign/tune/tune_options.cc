// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/tune_options.h"

#include <fmt/format.h>

#include "campaign/cache_choice.h"

namespace dovetail {
namespace {

using Tune = TuneOptions;
using enum DecidesRecords;

// Workloads, shapes and constants decide, too, but through the specs that they resolve to
// (campaign/tune/plan_campaign.cc).
constexpr Option<Tune> kTuneOptions[] = {
    {"WORKLOAD", &Tune::workloads, kWorkloadHelp},
    {.name = "--target", .member = &Tune::target, .help = kTargetHelp, .values = target_forms},
    {.name = "--trials",
     .member = &Tune::trials,
     .help = "candidates to measure for each task",
     .decides = if_changed,
     .otherwise = "1000; no limit where tasks share a budget"},
    {"--seconds", &Tune::seconds, "time limit for each task", if_changed},
    {"--patience", &Tune::patience, "stop after so many trials without a better one", if_changed},
    {.name = "--schedule",
     .member = &Tune::schedule,
     .help = "order of tasks; gradient: where the time of the whole workload falls fastest",
     .decides = if_changed,
     .values = [] { return std::vector<std::string>{"in_turn", "gradient"}; }},
    {"--total-trials", &Tune::total_trials,
     "with --schedule gradient: trials of all tasks together", if_changed},
    {"--total-seconds", &Tune::total_seconds,
     "with --schedule gradient: seconds of all tasks together", if_changed},
    {.name = "--strategy",
     .member = &Tune::strategy,
     .help = "what proposes candidates, with options as NAME:OPTION=VALUE,... (listed below)",
     .decides = always,
     .values = strategy_names},
    {.name = "--variant",
     .member = &Tune::variant,
     .help = "what is searched",
     .decides = always,
     .values = search_variants},
    {.name = "--layout",
     .member = &Tune::layout,
     .help = "with --variant no_layouts or loop_only: the layout of every tensor",
     .decides = if_changed,
     .values = fixed_layouts},
    {"--exact", &Tune::exact, kExactHelp, if_changed},
    {.name = "--max-error",
     .member = &Tune::max_error,
     .help = kMaxErrorHelp,
     .decides = if_changed,
     .otherwise = "1e-05"},
    {"--inputs", &Tune::inputs,
     "for a model: folder with input_0.npy, ..., the data on which candidates are checked; without "
     "it random numbers",
     if_changed},
    {.name = "--cost-model",
     .member = &Tune::cost_model,
     .help = "what ranks candidates",
     .decides = always,
     .values = cost_model_names},
    {"--warm-start", &Tune::warm_start, "FILE that --save-model wrote: what xgboost begins with",
     if_changed},
    {"--save-model", &Tune::save_model, "FILE for what xgboost learnt, of all tasks together"},
    {"--agent", &Tune::agent, "FILE that pretrain or --save-agent wrote: what ppo begins with",
     if_changed},
    {"--save-agent", &Tune::save_agent,
     "FILE for what ppo's agent learnt; it goes from task to task", whether_changed,
     "agent_goes_on"},
    {"--seed", &Tune::seed, "seed of everything random"},  // headers have it as a field of its own
    {"--log", &Tune::log, "file of records (required)"},
    {"--shape", &Tune::shapes, kShapeHelp},
    {"--constant", &Tune::constants, kConstantHelp},
    {"--border", &Tune::border, kBorderHelp},
    {"--resume", &Tune::resume, "continue the campaign of the log"},
    {"--append", &Tune::append, "add a campaign to the log"},
    {"--no-default", &Tune::no_default, "do not measure the default trace first", always},
    {.name = "--cache",
     .member = &Tune::cache,
     .help = kCacheHelp,
     .decides = if_changed,
     .otherwise = "network for models on a CPU, else hot",
     .values = cache_words},
    {"--results-from", &Tune::results_from,
     "log or measured space that is read instead of measuring; candidates that it lacks are "
     "rejected",
     if_changed},
    {.name = "--space",
     .member = &Tune::space,
     .help = "what is searched; reduced: a part around the default trace, as bruteforce does",
     .decides = if_changed,
     .values = [] { return std::vector<std::string>{"whole", "reduced"}; }},
    {.name = "--points",
     .member = &Tune::points,
     .help = "largest number of points of a reduced space",
     .decides = if_changed,
     .with = "--space"},
};

}  // namespace

int64_t trials_of_a_task(const TuneOptions& options) {
  constexpr int64_t kInTurn = 1000, kNoLimit = 1'000'000'000;
  return options.trials.value_or(options.schedule == "gradient" ? kNoLimit : kInTurn);
}

std::span<const Option<TuneOptions>> tune_option_table() { return kTuneOptions; }

Result<void> check(const TuneOptions& options) {
  const bool in_turn = options.schedule == "in_turn", gradient = options.schedule == "gradient";
  const bool shared = options.total_trials || options.total_seconds;
  const std::pair<bool, std::string> mistakes[] = {
      {options.workloads.empty(), "no WORKLOAD given; see dovetail tune --help"},
      {options.log.empty(), "--log FILE is missing: every measurement goes there"},
      {options.space != "whole" && options.space != "reduced",
       fmt::format("unknown --space '{}'; expected whole or reduced", options.space)},
      {options.resume && options.append,
       "--resume and --append exclude each other: continue a campaign, or add one"},
      {!options.save_agent.empty() && !in_turn,
       "--save-agent is of --schedule in_turn: its agent goes from task to task"},
      {!in_turn && !gradient,
       fmt::format("unknown --schedule '{}'; expected in_turn or gradient", options.schedule)},
      {in_turn && shared,
       "--total-trials and --total-seconds are what tasks share by --schedule gradient; --trials "
       "and "
       "--seconds limit each task"},
      {gradient && !shared,
       "--schedule gradient shares --total-trials N or --total-seconds S: give one"}};
  for (const auto& [is_made, mistake] : mistakes)
    if (is_made) return fail("tune: " + mistake);
  return {};
}

}  // namespace dovetail
