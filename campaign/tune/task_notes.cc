// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/task_notes.h"

#include <fmt/format.h>

#include <cmath>

namespace dovetail {
namespace {

constexpr double kDrift = 0.05;  // of the default trace's time, that is worth a warning

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
  const bool never_began = summary.stop == StopReason::device_lost && summary.stats.trials == 0;
  if (summary.best || summary.stop == StopReason::interrupted || never_began) return notes;
  notes.push_back(fmt::format("{}: {}", name,
                              summary.was_tried() ? "no valid candidate: " + summary.failure
                                                  : "no trial: the budget was spent"));
  return notes;
}

}  // namespace dovetail
