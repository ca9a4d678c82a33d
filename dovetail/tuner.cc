// SPDX-License-Identifier: Apache-2.0
#include "dovetail/tuner.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

#include "campaign/accuracy/graph_inputs.h"
#include "campaign/recorded_target.h"
#include "campaign/run/network_trials.h"
#include "campaign/tune/campaign.h"
#include "campaign/tune/task_results.h"
#include "campaign/workloads.h"
#include "core/base/fail.h"
#include "costmodel/cost_models.h"
#include "dovetail/handles/model_data.h"
#include "dovetail/handles/option_words.h"
#include "dovetail/handles/worker_path.h"
#include "search/strategies/strategies.h"

namespace dovetail::api {
namespace {

// Enumerators are in the order of the table, without the strategies that need a program or a file.
std::string_view name_of(Strategy strategy) {
  std::vector<std::string_view> names;
  for (const StrategyEntry& entry : strategies())
    if (!entry.is_program && !entry.agent_shape) names.push_back(entry.name);
  return names[static_cast<size_t>(strategy)];
}

std::string_view name_of(CostModel model) { return cost_models()[static_cast<size_t>(model)].name; }

// The options of a campaign that are values; none names a file but the log.
dovetail::TuneOptions campaign_options(const TuneOptions& options, const Target& target,
                                       const Log& log) {
  dovetail::TuneOptions campaign;
  const bool shares_budget = options.total_trials || options.total_seconds;
  campaign.target = print(target.name);
  if (!shares_budget) campaign.trials = options.trials;
  campaign.seconds = options.seconds;
  campaign.patience = options.patience;
  campaign.schedule = shares_budget ? "gradient" : "in_turn";
  campaign.total_trials = options.total_trials;
  campaign.total_seconds = options.total_seconds;
  campaign.strategy = name_of(options.strategy);
  campaign.cost_model = name_of(options.cost_model);
  campaign.exact = options.exact;
  campaign.max_error = options.max_error;
  campaign.seed = options.seed;
  campaign.log = log.path();
  campaign.resume = options.into == IntoLog::the_last_one;
  campaign.append = !campaign.resume;
  return campaign;
}

Result<std::string> worker_of(const TuneOptions& options) {
  if (options.worker.empty()) return worker_of_library();
  if (::access(options.worker.c_str(), X_OK) == 0) return options.worker;
  return fail("worker {}: cannot be run: {}", options.worker, std::strerror(errno));
}

using WorkloadsOfCampaign = std::function<Result<Workloads>(const dovetail::TuneOptions& campaign)>;

Result<CampaignPlan> plan_of(const WorkloadsOfCampaign& workloads, const Target& target,
                             const Log& log, const TuneOptions& options) {
  TRY(require_runnable(target));
  CampaignPlan plan;
  plan.options = campaign_options(options, target, log);
  plan.strategy = TRY(parse_strategy(plan.options.strategy));
  plan.workloads = TRY(workloads(plan.options));
  plan.target = target;
  plan.inputs = given_inputs(options.inputs, options.seed);
  plan.worker_path = TRY(worker_of(options));
  return complete_plan(std::move(plan));
}

Listener stoppable(const Listener& listener, const std::stop_token& stop) {
  Listener own = listener;
  own.interrupted = [asked = listener.interrupted, stop] {
    return stop.stop_requested() || asked();
  };
  return own;
}

Result<Tuning> tuning_of(const CampaignPlan& plan, const CampaignResult& result) {
  Tuning tuning{.tasks = {}, .seconds = result.wall_seconds, .device_error = result.device_error};
  if (result.interrupted) tuning.ending = Ending::interrupted;
  if (!result.device_error.empty()) tuning.ending = Ending::device_lost;
  for (TaskResult& task : TRY(task_results(plan, result)))
    tuning.tasks.push_back({.name = std::move(task.name),
                            .spec = std::move(task.spec),
                            .weight = task.weight,
                            .trials = task.stats.trials,
                            .valid = task.stats.valid,
                            .default_seconds = task.stats.default_seconds,
                            .best_seconds = task.seconds});
  return tuning;
}

// A runner pins the thread that makes it, so that is not the caller's.
Result<Tuning> tune_workloads(const WorkloadsOfCampaign& workloads, const Target& target,
                              const Log& log, const TuneOptions& options,
                              const Listener& listener) {
  const Listener own = with_members(stoppable(listener, options.stop));
  return with_members(in_thread([&]() -> Result<Tuning> {
    const CampaignPlan plan = TRY(plan_of(workloads, target, log, options));
    return tuning_of(plan, TRY(run_campaign(plan, own)));
  }));
}

}  // namespace

Result<Tuning> tune(const Model& model, const Target& target, const Log& log,
                    const TuneOptions& options, const Listener& listener) {
  const auto workloads = [&](const dovetail::TuneOptions& campaign) {
    return workloads_of(model.data().graph, model.name(), campaign.target,
                        [&](const Graph& graph) { return partition_for(campaign, graph); });
  };
  return tune_workloads(workloads, target, log, options, listener);
}

Result<Tuning> tune(const std::vector<Task>& tasks, const Target& target, const Log& log,
                    const TuneOptions& options, const Listener& listener) {
  const auto workloads = [&](const dovetail::TuneOptions& campaign) {
    std::vector<dovetail::Task> own;
    for (const Task& task : tasks) own.push_back(task.data().task);
    for (dovetail::Task& task : own) task.target = campaign.target;
    return workloads_of(std::move(own));
  };
  return tune_workloads(workloads, target, log, options, listener);
}

}  // namespace dovetail::api
