// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/task_results.h"

#include <algorithm>

#include "core/record/line/record.h"
#include "primitives/algorithm/roof.h"

namespace dovetail {

Result<std::vector<TaskResult>> task_results(const CampaignPlan& plan,
                                             const CampaignResult& result) {
  const size_t num_tasks = plan.workloads.tasks.size() + result.placed.size();
  std::vector<TaskResult> rows;
  for (const auto* tasks : {&plan.workloads.tasks, &result.placed}) {
    for (const Task& task : *tasks) {
      TaskResult& row = rows.emplace_back();
      row.name = task.name;
      row.spec = print(task.spec);
      row.weight = task.weight;
      const auto found = result.tasks.find(row.spec);
      row.was_reached = found != result.tasks.end();
      if (!row.was_reached) continue;
      row.stats = found->second.stats;
      const std::optional<BestTrial>& best = found->second.best;
      if (!best) continue;
      const Trace trace = TRY(best->record.trace.value());
      const Region& region = task.spec.region;
      row.seconds = best->seconds;
      row.is_confirmed = best->confirmed;
      row.interval = best->interval;
      row.gflops = nominal_gflops(region, row.seconds);
      row.percent_of_peak = percent_of_peak(result.machine, region, row.seconds);
      row.percent_of_roof = percent_of_roof(result.machine, region, trace, row.seconds);
      row.tied = std::ssize(best->tied);
      row.algorithm = algorithm_of(trace);
      row.record = print(RecordName{.log = plan.options.log,
                                    .campaign = result.campaign,
                                    .trial = best->record.trial,
                                    .task = num_tasks > 1 ? row.spec : std::string()});
    }
  }
  return rows;
}

bool was_confirming(const CampaignResult& result) {
  return std::ranges::any_of(
      result.tasks, [](const auto& task) { return task.second.confirming == Confirming::cut_off; });
}

std::vector<NetworkTotal> networks_of(const CampaignPlan& plan, const CampaignResult& result) {
  const auto times_of = [&](const std::string& spec) {
    const auto found = result.tasks.find(spec);
    if (found == result.tasks.end()) return TaskTimes();
    TaskTimes times{.default_seconds = found->second.stats.default_seconds};
    if (found->second.best) times.seconds = found->second.best->seconds;
    return times;
  };
  return network_totals(layers_of(plan.workloads), times_of, plan.caches);
}

MeasureTimes times_of(const CampaignResult& result) {
  MeasureTimes times;
  for (const auto& [spec, summary] : result.tasks) times += summary.stats.times;
  return times;
}

}  // namespace dovetail
