// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/task_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

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

// "17 of 37 tasks: a trial takes longer than a task's share of the time, 0.667 s: conv1 (0.788 s)".
std::string note_on_slow_trials(const CampaignPlan& plan, const std::deque<TaskSpace>& spaces,
                                const std::map<std::string, TuneSummary>& tasks) {
  const std::optional<double> share = share_of_time(plan);
  if (!share) return "";
  std::vector<std::string> slow;
  for (const TaskSpace& space : spaces) {
    const auto found = tasks.find(space.task.spec.text);
    if (found == tasks.end() || found->second.stats.trials == 0) continue;
    const TaskStats& stats = found->second.stats;
    const double each_seconds = total(stats.times) / static_cast<double>(stats.trials);
    if (each_seconds > *share)
      slow.push_back(fmt::format("{} ({:.3g} s)", space.task.name, each_seconds));
  }
  if (slow.empty()) return "";
  return fmt::format(
      "{} of {} tasks: a trial takes longer than a task's share of the time, {:.3g} s: {}",
      slow.size(), spaces.size(), *share, first_names(slow));
}

// "as --total-seconds leaves little time, the best of 5 of 21 tasks is measured again in part:
// conv1, fc; of 1 is not measured again: pool".
std::string note_on_confirming(const CampaignPlan& plan, const std::deque<TaskSpace>& spaces,
                               const std::map<std::string, TuneSummary>& tasks) {
  if (!plan.options.total_seconds) return "";
  std::vector<std::string> in_part, not_at_all;
  for (const TaskSpace& space : spaces) {
    const auto found = tasks.find(space.task.spec.text);
    if (found == tasks.end()) continue;
    if (found->second.confirming == Confirming::none) not_at_all.push_back(space.task.name);
    if (found->second.confirming == Confirming::in_part) in_part.push_back(space.task.name);
  }
  if (in_part.empty() && not_at_all.empty()) return "";
  std::string text = "as --total-seconds leaves little time, the best";
  if (!in_part.empty())
    text += fmt::format(" of {} of {} tasks is measured again in part: {}", in_part.size(),
                        spaces.size(), first_names(in_part));
  if (!not_at_all.empty())
    text += fmt::format("{} of {} is not measured again: {}", in_part.empty() ? "" : ";",
                        not_at_all.size(), first_names(not_at_all));
  return text;
}

// By an interrupt or a lost device: the campaign may go on.
bool is_cut_off(const TuneSummary& task) {
  return task.stop == StopReason::interrupted || task.stop == StopReason::device_lost;
}

bool is_any_cut_off(const std::map<std::string, TuneSummary>& tasks) {
  return std::ranges::any_of(tasks, [](const auto& task) { return is_cut_off(task.second); });
}

// "35 of 40 trials are spent: the others were kept for tasks that the chosen layouts add, and they
// add none".
std::string note_on_unspent(const CampaignPlan& plan, const std::deque<TaskSpace>& spaces,
                            const std::map<std::string, TuneSummary>& tasks) {
  if (!plan.options.total_trials || !adds_tasks(plan) || is_any_cut_off(tasks)) return "";
  int64_t spent = 0;
  for (const auto& [spec, summary] : tasks) spent += summary.stats.trials;
  if (spent >= *plan.options.total_trials) return "";
  return fmt::format(
      "{} of {} trials are spent: the others were kept for tasks that the chosen layouts add, {}",
      spent, *plan.options.total_trials,
      spaces.size() == plan.spaces.size() ? "and they add none" : "which have nothing more to try");
}

// True where a strategy that takes a space in order came to its end. (One that ended by the
// most misses of a round may have left points: illegal ones, so many that it does not show.)
bool is_all_measured(const TaskSpace& task, const CampaignPlan& plan, const TuneSummary& summary) {
  if (plan.strategy.name != "exhaustive" || plan.results || is_cut_off(summary)) return false;
  const bool is_exhausted =
      summary.stop == StopReason::exhausted && summary.stats.rejected <= Proposer::kMostMisses;
  return is_exhausted || static_cast<double>(summary.stats.trials) >= task.space.count();
}

// How the task ended where it has nothing more to try; empty where it may have.
std::string note_on_end(const TaskSpace& task, const CampaignPlan& plan,
                        const TuneSummary& summary) {
  const int64_t trials = summary.stats.trials;
  if (is_all_measured(task, plan, summary))
    return fmt::format("{}, {}: all measured",
                       counted(static_cast<int64_t>(task.space.count()), "point"),
                       counted(trials, "different program"));
  if (summary.stop != StopReason::exhausted) return "";
  const std::string what =
      plan.results ? "nothing more of what is proposed is in " + plan.results->source()
                   : fmt::format("strategy {} proposes nothing new", plan.strategy.name);
  return fmt::format("{} after {} trials", what, trials);
}

}  // namespace

std::vector<std::string> notes_on(const TaskSpace& task, const CampaignPlan& plan,
                                  const TuneSummary& summary) {
  std::vector<std::string> notes;
  const std::string& name = task.task.name;
  if (const std::string end = note_on_end(task, plan, summary); !end.empty())
    notes.push_back(name + ": " + end);
  if (summary.drift && std::abs(*summary.drift) > kDrift) {
    notes.push_back(
        fmt::format("{}: warning: the default trace's time moved by {:+.1f} % during the "
                    "campaign; other programs, or a changing clock",
                    name, 100 * *summary.drift));
  }
  // Tasks without a trial are listed together, by notes_on_shares().
  const bool never_began = summary.stats.trials == 0 &&
                           (summary.stop == StopReason::device_lost || !summary.was_tried());
  if (summary.best || summary.stop == StopReason::interrupted || never_began) return notes;
  notes.push_back(fmt::format("{}: no valid candidate: {}", name, summary.failure));
  return notes;
}

std::string note_on_left_tasks(std::span<const Record> records, std::span<const Layer> layers) {
  std::set<std::string> names;
  for (const Record& record : records) {
    const auto layer = std::ranges::find(layers, record.task, &Layer::spec);
    names.insert(layer == layers.end() ? record.task : layer->name);
  }
  if (names.empty()) return "";
  return fmt::format("{} of the log {} no longer part of the network, as its layouts changed: {}",
                     counted(names.size(), "task"), names.size() == 1 ? "is" : "are",
                     first_names({names.begin(), names.end()}));
}

std::vector<std::string> notes_on_shares(const CampaignPlan& plan,
                                         const std::deque<TaskSpace>& spaces,
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
  if (const std::string slow = note_on_slow_trials(plan, spaces, tasks); !slow.empty())
    notes.push_back(slow);
  if (const std::string part = note_on_confirming(plan, spaces, tasks); !part.empty())
    notes.push_back(part);
  if (const std::string unspent = note_on_unspent(plan, spaces, tasks); !unspent.empty())
    notes.push_back(unspent);
  if (!untried.empty() && !is_any_cut_off(tasks))
    notes.push_back(fmt::format("{} of {} tasks have no trial, and keep their default traces: {}",
                                untried.size(), spaces.size(), first_names(untried)));
  if (!once.empty())
    notes.push_back(fmt::format("{} of {} tasks have one trial only: {}", once.size(),
                                spaces.size(), first_names(once)));
  return notes;
}

}  // namespace dovetail
