// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/dry_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/record/log/log.h"
#include "core/record/statistics/log_stats.h"

namespace dovetail {
namespace {

// A task's first slice has 16 trials (search/scheduler.h): two slices let it leave its default.
constexpr int64_t kFewTrials = 16, kGoodTrials = 32;  // per task

// Operators of some 0.2 GFLOP on two cores: 100 trials of a convolution took 15 s. The time on
// OpenCL is a guess, twice that.
constexpr double kSecondsOnCpu = 0.15, kSecondsOnOpencl = 0.3;

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

// The least of what the limits allow.
double seconds_of(const TuneOptions& options, const DryRun& dry) {
  double seconds = dry.trials ? static_cast<double>(*dry.trials) * dry.seconds_per_trial
                              : options.total_seconds.value_or(0);
  if (options.total_seconds) seconds = std::min(seconds, *options.total_seconds);
  const auto tasks = static_cast<double>(dry.tasks.size());
  return options.seconds ? std::min(seconds, *options.seconds * tasks) : seconds;
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
  dry.seconds_per_trial = runs_threads(plan.target) ? kSecondsOnCpu : kSecondsOnOpencl;
  if (std::filesystem::exists(plan.options.log)) {
    const Log log = TRY(read_log(plan.options.log));
    const auto measured = seconds_per_trial_of(log, print(plan.target.name));
    dry.is_measured = measured.has_value();
    dry.seconds_per_trial = measured.value_or(dry.seconds_per_trial);
  }
  dry.seconds = seconds_of(plan.options, dry);
  return dry;
}

std::string note_of_budget(const TuneOptions& options, size_t tasks) {
  const auto count = static_cast<int64_t>(tasks);
  if (!options.total_trials || *options.total_trials >= kFewTrials * count) return "";
  return fmt::format(
      "--total-trials {} is little for {} tasks: some keep their default traces; --total-trials {} "
      "has {} for each",
      *options.total_trials, tasks, kGoodTrials * count, kGoodTrials);
}

}  // namespace dovetail
