// SPDX-License-Identifier: Apache-2.0
#pragma once

// dry_run: what a campaign would do, with nothing measured and nothing written.
//
//   const DryRun dry = TRY(dry_run(TRY(plan_campaign(options))));
//   dry.tasks[0].points        size of its space
//   dry.suggested_trials       a budget for all tasks together
//   dry.seconds                that the asked budget takes, about

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/tune/campaign.h"
#include "core/base/result.h"

namespace dovetail {

struct DryTask {
  std::string name, spec;
  int64_t weight = 1;  // how often the workload runs it
  double points = 0;   // size of its space, estimated where it is large
};

struct DryRun {
  std::vector<DryTask> tasks;
  std::optional<int64_t> trials;  // at most, of all tasks; none: only seconds limit them
  std::optional<int64_t> suggested_trials = {};  // none: a single task shares with none
  double seconds_per_trial = 0;
  bool is_measured = false;  // the log's campaigns took that long, on this target; else assumed
  int64_t known_trials = 0;  // that a resumed campaign has already
  double seconds = 0;        // that the campaign takes, or the rest of a resumed one
};

// Fails where the campaign itself would be refused its log.
Result<DryRun> dry_run(const CampaignPlan& plan);

// A line where a shared budget leaves tasks with little more than their default trace; else empty.
std::string note_of_budget(const CampaignPlan& plan);

}  // namespace dovetail
