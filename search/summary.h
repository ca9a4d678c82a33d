// SPDX-License-Identifier: Apache-2.0
#pragma once

// TuneSummary: what the campaign of one task came to. Counts and times come from its records alone,
// so that a resumed campaign counts as a whole.

#include <optional>
#include <string>

#include "core/record/log/best_record.h"
#include "core/record/statistics/task_stats.h"
#include "search/history.h"
#include "search/stop_condition.h"

namespace dovetail {

struct TuneSummary {
  TaskStats stats;
  std::optional<BestTrial> best;  // none: no candidate is valid
  // The sentinel's largest change against its first time, as a fraction: 0.05 is 5 %.
  std::optional<double> drift;
  StopReason stop = StopReason::trials;
  std::string device_error;  // stop device_lost: why
  std::string failure;       // the first failure's reason, or why a trace was illegal
};

// Sums up log_stats and best_trials of its records; stop and device_error are the tuner's to
// say.
TuneSummary summarize(const History& history);

}  // namespace dovetail
