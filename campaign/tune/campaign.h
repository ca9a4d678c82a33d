// SPDX-License-Identifier: Apache-2.0
#pragma once

// Campaign: the work of `tune` once its input is validated: searches task by task, on one runner,
// into one log. The runner is a device, or logs (--results-from).

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/accuracy/task_accuracy.h"
#include "campaign/listener.h"
#include "campaign/machine.h"
#include "campaign/tune/tune_options.h"
#include "campaign/workloads.h"
#include "core/record/line/caches.h"
#include "core/record/line/log_header.h"
#include "core/record/log/log_writer.h"
#include "core/record/runner.h"
#include "costmodel/saved_model.h"
#include "search/compare/simulate/recorded_results.h"
#include "search/strategies/strategies.h"
#include "search/tuner.h"

namespace dovetail {

struct CampaignPlan {
  TuneOptions options;
  Target target;
  Workloads workloads;
  Caches caches = Caches::hot;
  TaskAccuracy accuracy;
  std::vector<TaskSpace> spaces;  // to tune: one per distinct spec
  StrategySpec strategy;
  std::shared_ptr<const SavedModel> warm_start;  // null: none
  std::shared_ptr<const SavedAgent> agent;       // null: none
  DeviceFacets device;                           // device that the results come from
  std::string driver;
  std::optional<RecordedResults> results;  // --results-from: answer instead of a device
  InputsOfGraph inputs;                    // that a model's candidates are checked on
  std::string worker_path = {};            // dovetail-worker; empty: beside this program
};

// Says if it tunes the tasks that layouts add, too: logs that answer cannot answer for new ones.
inline bool adds_tasks(const CampaignPlan& plan) {
  return !plan.workloads.models.empty() && !plan.results && plan.options.space == "whole" &&
         plan.options.border.empty();
}

std::string tool_name();  // program and version, for headers of logs

// Validates all of the input, and writes nothing (campaign/tune/plan_campaign.cc).
Result<CampaignPlan> plan_campaign(const TuneOptions& options);
// The same where options, strategy, workloads, target and inputs are values that the plan has
// already; of the options, those that name files or are spelled for a command line are not read.
Result<CampaignPlan> complete_plan(CampaignPlan plan);
// How a campaign partitions a model: a resumed one as it began.
Result<PartitionOptions> partition_for(const TuneOptions& options, const Graph& graph);
// Holds exactly the options that decide what the campaign does; --resume compares it.
LogHeader header_of(const CampaignPlan& plan);
LogMode mode_of(const TuneOptions& options);

struct CampaignResult {
  std::map<std::string, TuneSummary> tasks;  // by spec; tasks that were not reached are missing
  std::vector<Task> placed;                  // tasks that layouts added (placed_tasks.h)
  Machine machine;
  double wall_seconds = 0;  // whole campaign, resumed parts included
  int64_t campaign = 1;     // its number in the log
  bool interrupted = false;
  std::string device_error;  // empty unless the device was lost
  std::string save_error;    // why --save-model or --save-agent failed; empty: neither did
};

// Runs the plan. Errors: the log, the device or the strategy.
Result<CampaignResult> run_campaign(const CampaignPlan& plan, const Listener& listener);

}  // namespace dovetail
