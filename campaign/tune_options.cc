// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune_options.h"

#include <fmt/format.h>

namespace dovetail {
namespace {

using Tune = TuneOptions;
using enum DecidesRecords;

// Workloads and shapes decide, too, but by the specs that they come to (campaign/plan_campaign.cc).
constexpr Option<Tune> kTuneOptions[] = {
    {"WORKLOAD", &Tune::workloads, kWorkloadHelp},
    {"--target", &Tune::target, kTargetHelp},
    {"--trials", &Tune::trials, "candidates to measure, a task", always},
    {"--seconds", &Tune::seconds, "time limit, a task", if_changed},
    {"--patience", &Tune::patience, "stop after so many trials without a better one", if_changed},
    {"--schedule", &Tune::schedule,
     "of tasks: in_turn, or gradient: where the workload's time falls most", if_changed},
    {"--total-trials", &Tune::total_trials, "of gradient: what all tasks share", if_changed},
    {"--total-seconds", &Tune::total_seconds, "of gradient: what all tasks share", if_changed},
    {"--strategy", &Tune::strategy,
     "what proposes candidates: NAME or NAME:OPTION=VALUE,... (below)", always},
    {"--variant", &Tune::variant, "what is searched: joint, no_texture, loop_only", always},
    {"--layout", &Tune::layout, "of loop_only: nohw, nhwo, hwon or nohw16o, for every tensor",
     if_changed},
    {"--cost-model", &Tune::cost_model, "what ranks candidates: none, random, roofline, xgboost",
     always},
    {"--warm-start", &Tune::warm_start, "FILE that --save-model wrote: what xgboost begins with",
     if_changed},
    {"--save-model", &Tune::save_model, "FILE for what xgboost learnt, of all tasks together"},
    {"--agent", &Tune::agent, "FILE that pretrain or --save-agent wrote: what ppo begins with",
     if_changed},
    {"--save-agent", &Tune::save_agent,
     "FILE for what ppo's agent learnt; it goes from task to task", whether_changed,
     "agent_goes_on"},
    {"--seed", &Tune::seed, "of everything random"},  // headers have it as a field of its own
    {"--log", &Tune::log, "file of records (required)"},
    {"--shape", &Tune::shapes, kShapeHelp},
    {"--border", &Tune::border, kBorderHelp},
    {"--resume", &Tune::resume, "continue the campaign of the log"},
    {"--append", &Tune::append, "add a campaign to the log"},
    {"--no-default", &Tune::no_default, "do not measure the default trace first", always},
    {"--cold", &Tune::cold, "time every run with the operands out of the caches (CPU targets)",
     if_changed},
    {"--results-from", &Tune::results_from,
     "a log or measured space that answers instead of a device; what it lacks is rejected",
     if_changed},
    {"--space", &Tune::space,
     "whole, or reduced: domains cut down around the default, as bruteforce does", if_changed},
    {.name = "--points",
     .member = &Tune::points,
     .help = "of a reduced space, at most",
     .decides = if_changed,
     .with = "--space"},
};

Result<void> check_schedule(const TuneOptions& options) {
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

}  // namespace

std::span<const Option<TuneOptions>> tune_option_table() { return kTuneOptions; }

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
  return check_schedule(options);
}

}  // namespace dovetail
