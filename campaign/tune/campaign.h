// SPDX-License-Identifier: Apache-2.0
#pragma once

// Campaign: what `tune` does, once everything about its input is known to be right: the tasks one
// after another, on one runner, into one log. The runner is a device, or logs (--results-from).

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
  std::vector<TaskSpace> spaces;  // what is tuned: one per distinct spec
  StrategySpec strategy;
  std::shared_ptr<const SavedModel> warm_start;  // null: none
  std::shared_ptr<const SavedAgent> agent;       // null: none
  DeviceFacets device;                           // what the results are of
  std::string driver;
  std::optional<RecordedResults> results;  // of --results-from: answer instead of a device
};

std::string tool_name();  // program and version, as headers of logs have it

// Checks all of the input; writes nothing (campaign/tune/plan_campaign.cc).
Result<CampaignPlan> plan_campaign(const TuneOptions& options);
// Everything that decides what the campaign does, and nothing else: --resume compares it.
LogHeader header_of(const CampaignPlan& plan);

struct CampaignResult {
  std::map<std::string, TuneSummary> tasks;  // by spec; tasks that were not reached are missing
  std::vector<Task> placed;                  // of models, found when layouts were (placed_tasks.h)
  Machine machine;
  double wall_seconds = 0;  // of the whole campaign, resumed parts included
  int64_t campaign = 1;     // its number in the log
  bool interrupted = false;
  std::string device_error;  // of a device that was lost
  std::string save_error;    // of --save-model or --save-agent; empty: there was none
};

// By the options of the plan. An error is the log's, the device's or the strategy's.
Result<CampaignResult> run_campaign(const CampaignPlan& plan, const Listener& listener);

}  // namespace dovetail
