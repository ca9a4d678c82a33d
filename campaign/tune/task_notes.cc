// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/task_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr double kDrift = 0.05;  // change of the default trace's time that is worth a warning

// Seconds that a task may take; none: no limit.
std::optional<double> share_of_time(const CampaignPlan& plan) {
  if (plan.options.seconds) return plan.options.seconds;
  if (!plan.options.total_seconds) return std::nullopt;
  return *plan.options.total_seconds / static_cast<double>(std::max<size_t>(plan.spaces.size(), 1));
}

}  // namespace

std::vector<std::string> notes_on(const TaskSpace& task, const CampaignPlan& plan,
                                  const TuneSummary& summary) {
  std::vector<std::string> notes;
  const std::string& name = task.task.name;
  if (summary.stop == StopReason::exhausted) {
    const std::string what =
        plan.results ? "nothing more of what is proposed is in " + plan.results->source()
                     : fmt::format("strategy {} proposes nothing new", plan.strategy.name);
    notes.push_back(fmt::format("{}: {} after {} trials", name, what, summary.stats.trials));
  }
  if (summary.drift && std::abs(*summary.drift) > kDrift) {
    notes.push_back(
        fmt::format("{}: warning: the default trace's time moved by {:+.1f} % during the "
                    "campaign; other programs, or a changing clock",
                    name, 100 * *summary.drift));
  }
  const std::optional<double> share = share_of_time(plan);
  const double trials = static_cast<double>(summary.stats.trials);
  const double each_seconds = trials > 0 ? total(summary.stats.times) / trials : 0;
  if (share && each_seconds > *share)
    notes.push_back(
        fmt::format("{}: a trial takes about {:.3g} s, and its share of the time is "
                    "{:.3g} s",
                    name, each_seconds, *share));
  // Tasks without a trial are listed together, by notes_on_few_trials().
  const bool never_began = summary.stats.trials == 0 &&
                           (summary.stop == StopReason::device_lost || !summary.was_tried());
  if (summary.best || summary.stop == StopReason::interrupted || never_began) return notes;
  notes.push_back(fmt::format("{}: no valid candidate: {}", name, summary.failure));
  return notes;
}

std::vector<std::string> notes_on_few_trials(const std::deque<TaskSpace>& spaces,
                                             const std::map<std::string, TuneSummary>& tasks) {
  std::vector<std::string> untried, once;
  for (const TaskSpace& space : spaces) {
    const auto found = tasks.find(space.task.spec.text);
    if (found == tasks.end() || !found->second.was_tried())
      untried.push_back(space.task.name);
    else if (found->second.stop == StopReason::budget && found->second.stats.trials == 1)
      once.push_back(space.task.name);
  }
  std::vector<std::string> notes;
  if (!untried.empty())
    notes.push_back(fmt::format("{} of {} tasks have no trial, and keep their default traces: {}",
                                untried.size(), spaces.size(), first_names(untried)));
  if (!once.empty())
    notes.push_back(fmt::format("{} of {} tasks have one trial only: {}", once.size(),
                                spaces.size(), first_names(once)));
  return notes;
}

}  // namespace dovetail
