// SPDX-License-Identifier: Apache-2.0
#pragma once

// TaskResult: what a campaign found for one task, in the numbers that people compare.
//
//   for (const TaskResult& task : TRY(task_results(plan, TRY(run_campaign(plan, listener)))))
//     task.stats.default_seconds, task.seconds

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/tune/campaign.h"
#include "core/base/result.h"
#include "core/base/time_interval.h"
#include "core/record/line/measure_result.h"
#include "core/record/statistics/network_total.h"
#include "core/record/statistics/task_stats.h"

namespace dovetail {

struct TaskResult {
  std::string name, spec;
  int64_t weight = 1;
  bool was_reached = false;   // else the campaign ended before its turn
  bool is_confirmed = false;  // `seconds` is; else it is that of a trial
  TaskStats stats;
  // The best record's; none without one.
  std::optional<double> seconds, gflops, percent_of_peak, percent_of_roof;
  std::optional<TimeInterval> interval;  // how sure `seconds` is
  std::optional<int64_t> tied;
  std::optional<std::string> algorithm, record;
};

// In the order of the plan, then the tasks that layouts added.
Result<std::vector<TaskResult>> task_results(const CampaignPlan& plan,
                                             const CampaignResult& result);
// True where the campaign was cut off while the best were being confirmed.
bool was_confirming(const CampaignResult& result);
// The time of each whole network whose tasks these are.
std::vector<NetworkTotal> networks_of(const CampaignPlan& plan, const CampaignResult& result);
MeasureTimes times_of(const CampaignResult& result);  // sums over all tasks

}  // namespace dovetail
