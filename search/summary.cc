// SPDX-License-Identifier: Apache-2.0
#include "search/summary.h"

#include <fmt/format.h>

#include <cmath>

namespace dovetail {
namespace {

const Record* trial_of(std::span<const Record> records, int64_t trial) {
  for (const Record& record : records) {
    if (record.kind == RecordKind::trial && record.trial == trial) return &record;
  }
  return nullptr;
}

std::optional<double> largest_drift(std::span<const Record> records) {
  std::optional<double> drift;
  for (const Record& sentinel : records) {
    if (sentinel.kind != RecordKind::sentinel || sentinel.result.status != Status::ok) continue;
    const Record* trial = trial_of(records, sentinel.trial);
    if (!trial) continue;
    const double change = sentinel.result.seconds / trial->result.seconds - 1;
    if (!drift || std::abs(change) > std::abs(*drift)) drift = change;
  }
  return drift;
}

std::string first_failure(std::span<const Record> records) {
  for (const Record& record : records) {
    if (record.kind != RecordKind::trial || record.result.status == Status::ok) continue;
    return fmt::format("{}: {}", print(record.result.status), record.result.reason);
  }
  return {};
}

}  // namespace

TuneSummary summarize(std::span<const Record> records, std::span<const RoundRecord> rounds) {
  TuneSummary summary;
  const std::vector<TaskStats> stats = log_stats(records, rounds);
  if (!stats.empty()) summary.stats = stats.front();
  const std::vector<BestTrial> best = best_trials(records);
  if (!best.empty()) summary.best = best.front();
  summary.drift = largest_drift(records);
  summary.failure = first_failure(records);
  return summary;
}

}  // namespace dovetail
