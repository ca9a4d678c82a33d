// SPDX-License-Identifier: Apache-2.0
#include "search/summary.h"

#include <vector>

namespace dovetail {

// The winner is among the trials that are kept: it is one that was confirmed, or the fastest of all
// that did not fail then.
TuneSummary summarize(const History& history) {
  TuneSummary summary;
  summary.stats = history.tally().stats();
  std::vector<Record> kept(history.trials().begin(), history.trials().end());
  kept.insert(kept.end(), history.confirmations().begin(), history.confirmations().end());
  const std::vector<BestTrial> best = best_trials(kept);
  if (!best.empty()) {
    summary.best = best.front();
    summary.stats.best_seconds = best.front().seconds;
    summary.stats.best_trial = best.front().record.trial;
  }
  summary.drift = history.drift();
  summary.failure = history.failure();
  return summary;
}

}  // namespace dovetail
