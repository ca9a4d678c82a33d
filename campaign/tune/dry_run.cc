// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/dry_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "core/base/text.h"
#include "core/record/log/log_opening.h"
#include "core/record/statistics/log_stats.h"

namespace dovetail {
namespace {

// A task's first slice has 16 trials (search/scheduler.h): two slices let it leave its default.
constexpr int64_t kFewTrials = 16, kGoodTrials = 32;  // per task

// Operators of some 0.2 GFLOP on two cores: 100 trials of a convolution took 15 s. The time on
// OpenCL is a guess, twice that.
constexpr double kSecondsOnCpu = 0.15, kSecondsOnOpencl = 0.3;

double assumed_seconds(const Target& target) {
  return runs_threads(target) ? kSecondsOnCpu : kSecondsOnOpencl;
}

std::optional<double> seconds_per_trial_of(const Log& log, const std::string& target) {
  double seconds = 0;
  int64_t trials = 0;
  std::map<int64_t, double> ends;  // by campaign
  for (const TaskStats& stats : log_stats(log.records)) {
    if (stats.target != target) continue;
    trials += stats.trials;
    ends[stats.campaign] = std::max(ends[stats.campaign], stats.elapsed_seconds);
  }
  for (const auto& [campaign, end] : ends) seconds += end;
  return trials > 0 ? std::optional(seconds / static_cast<double>(trials)) : std::nullopt;
}

std::optional<int64_t> asked_trials(const TuneOptions& options, int64_t tasks) {
  if (options.total_trials) return options.total_trials;
  if (options.schedule == "gradient" && !options.trials) return std::nullopt;
  return trials_of_a_task(options) * tasks;
}

// The least of what the limits allow, without what a resumed campaign has behind it.
double seconds_of(const TuneOptions& options, const DryRun& dry, double known_seconds) {
  double limit = std::numeric_limits<double>::infinity();
  if (options.total_seconds) limit = *options.total_seconds;
  if (options.seconds)
    limit = std::min(limit, *options.seconds * static_cast<double>(dry.tasks.size()));
  limit = std::max(limit - known_seconds, 0.0);
  if (!dry.trials) return std::isfinite(limit) ? limit : 0;
  const int64_t left = std::max(*dry.trials - dry.known_trials, int64_t{0});
  return std::min(limit, static_cast<double>(left) * dry.seconds_per_trial);
}

// Says if the resumed campaign had ended under these very options: then the log answers everything.
bool has_ended(const CampaignPlan& plan, const LogOpening& opening) {
  const std::optional<LogHeader>& continued = opening.continued;
  return continued && continued->machine && continued->options == header_of(plan).options;
}

// Seconds of the resumed campaign so far, whose trials are counted.
double take_known(const CampaignPlan& plan, const LogOpening& opening, DryRun& dry) {
  const auto measured = seconds_per_trial_of(*opening.log, print(plan.target.name));
  dry.is_measured = measured.has_value();
  dry.seconds_per_trial = measured.value_or(dry.seconds_per_trial);
  double seconds = 0;
  for (const Record& record : opening.log->records) {
    if (!opening.continued || record.campaign != opening.continued->campaign) continue;
    dry.known_trials += record.kind == RecordKind::trial;
    seconds = std::max(seconds, record.elapsed_seconds);
  }
  return seconds;
}

}  // namespace

Result<DryRun> dry_run(const CampaignPlan& plan) {
  DryRun dry;
  for (const TaskSpace& space : plan.spaces) {
    DryTask task{.name = space.task.name,
                 .spec = space.task.spec.text,
                 .weight = 0,
                 .points = space.space.count()};
    for (const Task& asked : plan.workloads.tasks)
      if (asked.spec.text == task.spec) task.weight += asked.weight;
    dry.tasks.push_back(std::move(task));
  }
  const int64_t tasks = std::ssize(dry.tasks);
  dry.trials = asked_trials(plan.options, tasks);
  if (tasks > 1) dry.suggested_trials = kGoodTrials * tasks;
  dry.seconds_per_trial = assumed_seconds(plan.target);
  double known_seconds = 0;
  bool is_done = false;
  if (!plan.options.log.empty()) {
    const LogOpening opening =
        TRY(plan_opening(plan.options.log, mode_of(plan.options), header_of(plan)));
    if (opening.log) known_seconds = take_known(plan, opening, dry);
    is_done = has_ended(plan, opening);
  }
  dry.seconds = is_done ? 0 : seconds_of(plan.options, dry, known_seconds);
  return dry;
}

std::string note_of_budget(const CampaignPlan& plan) {
  const TuneOptions& options = plan.options;
  const auto tasks = std::ssize(plan.spaces);
  const bool has_begun =
      std::filesystem::exists(options.log);  // its owner has seen how far it comes
  if (has_begun || !options.results_from.empty()) return "";
  if (options.total_trials && *options.total_trials < kFewTrials * tasks)
    return fmt::format(
        "--total-trials {} is little for {} tasks: some keep their default traces; --total-trials "
        "{} has {} for each",
        *options.total_trials, tasks, kGoodTrials * tasks, kGoodTrials);
  if (!options.total_seconds) return "";
  const double each = assumed_seconds(plan.target) * static_cast<double>(tasks);  // a trial of each
  if (*options.total_seconds >= static_cast<double>(kFewTrials) * each) return "";
  return fmt::format(
      "--total-seconds {:g} may be little for {}: at {} s a trial it has {:.0f} for each, "
      "and --total-seconds {:.0f} has {}",
      *options.total_seconds, counted(tasks, "task"), assumed_seconds(plan.target),
      std::floor(*options.total_seconds / each), static_cast<double>(kGoodTrials) * each,
      kGoodTrials);
}

}  // namespace dovetail
