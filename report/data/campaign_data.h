// SPDX-License-Identifier: Apache-2.0
#pragma once

// CampaignData: the contents of logs, grouped for a page: by task, over all campaigns.
//
//   CampaignData data = TRY(campaign_data(tails));
//   data.tasks[0].spec                     "gmm:m=512,n=512,k=512"
//   data.tasks[0].runs[0].curve            each trial that was better than all before it
//   data.failures[0]                       timeout, "the run took longer than # s", 12 times
//
// A task on a target and device is one entry, however many campaigns tuned it: their curves form
// bands. Numbers in reasons become `#`, so that one cause is one line.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/record/line/network_record.h"
#include "core/record/log/best_record.h"
#include "core/record/statistics/log_stats.h"
#include "report/data/log_tail.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {

// A reading of a finalist or of the default trace at the end of a campaign, since its beginning.
struct ConfirmedTrial {
  int64_t sitting = 0;
  TimedTrial trial = {};
};

// One task of one campaign.
struct TaskRun {
  size_t campaign = 0;  // index into CampaignData::campaigns
  TaskStats stats = {};
  std::vector<TimedTrial> valid = {};  // by trial; elapsed since the task's first work
  std::vector<TimedTrial> curve = {};  // those better than all before
  // The default trace measured again; elapsed since the campaign began.
  std::vector<TimedTrial> sentinels = {}, default_confirmations = {};
  std::vector<ConfirmedTrial> confirmations = {};
  double began_seconds = 0;  // since the campaign began
  int64_t last_trial = 0;
  std::vector<RoundRecord> rounds = {};  // its cost model's
  std::optional<BestTrial> best = {};
};

struct TaskData {
  std::string spec = {};
  std::string target = {};
  std::string device = {};
  Caches caches = Caches::hot;
  std::vector<TaskRun> runs = {};
  std::optional<size_t> best_run = {};  // none: no candidate is valid
  std::string best_name = {};           // LOG#CAMPAIGN.TRIAL of the best
  std::string best_trace = {};
  const BestTrial* best() const { return best_run ? &*runs[*best_run].best : nullptr; }
  std::optional<double> default_seconds() const;  // the best run's, else the first that a run has
};

struct CampaignInfo {
  std::string log = {};
  LogHeader header = {};
  double wall_seconds = 0;
  int64_t trials = 0;
  int64_t valid = 0;
  int64_t rejected = 0;
  MeasureTimes times = {};
  std::string name = {};         // "tune.jsonl#1"
  std::string strategy() const;  // without options at their defaults
};
std::string option_text(const OptionValue& value);  // texts without quotes

struct FailureKind {
  Status status = Status::ok;
  std::string reason = {};
  int64_t count = 0;
  int64_t tasks = 0;
  std::string example = {};  // name of one such record
};

// The last network that measurements chose for a graph, variant, target and device.
struct ChosenNetworkData {
  std::string log = {};
  NetworkRecord network = {};
  int64_t trials_since = 0;  // trials that the log has gained since
};

struct CampaignData {
  std::vector<CampaignInfo> campaigns = {};
  std::vector<TaskData> tasks = {};
  std::vector<FailureKind> failures = {};  // the most frequent first
  std::vector<ChosenNetworkData> networks = {};
  std::vector<std::string> warnings = {};  // skipped lines
  // The runs of all tasks, each with its task.
  std::vector<std::pair<const TaskData*, const TaskRun*>> runs() const;
};

Result<CampaignData> campaign_data(std::span<const LogTail> tails);

}  // namespace dovetail
