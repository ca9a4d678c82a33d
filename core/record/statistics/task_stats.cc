// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/task_stats.h"

#include <algorithm>

#include "core/base/statistics.h"
#include "core/record/log/best_record.h"

namespace dovetail {

void TaskTally::add(const Record& record) {
  if (is_empty_) {
    stats_.campaign = record.campaign;
    stats_.task = record.task;
    stats_.target = record.target;
    is_empty_ = false;
  }
  stats_.times += record.result.times;
  stats_.elapsed_seconds = std::max(stats_.elapsed_seconds, record.elapsed_seconds);
  stats_.rejected = std::max(stats_.rejected, record.rejected);
  switch (record.kind) {
    case RecordKind::trial:
      add_trial(record);
      break;
    case RecordKind::confirmation:
      stats_.confirmations += 1;
      break;
    case RecordKind::sentinel:
      stats_.sentinels += 1;
      if (record.result.status == Status::ok) sentinel_seconds_.push_back(record.result.seconds);
      break;
  }
}

TaskStats TaskTally::stats() const {
  TaskStats stats = stats_;
  if (!valid_seconds_.empty()) stats.median_seconds = median(valid_seconds_);
  if (sentinel_seconds_.size() >= 2) {
    const auto [fastest, slowest] = std::ranges::minmax(sentinel_seconds_);
    stats.sentinel_spread = slowest / fastest - 1;
  }
  stats.model = rounds_.stats();
  return stats;
}

void TaskTally::add_trial(const Record& record) {
  stats_.trials += 1;
  if (record.result.status != Status::ok) {
    stats_.failed[record.result.status] += 1;
    return;
  }
  stats_.valid += 1;
  valid_seconds_.push_back(record.result.seconds);
  if (record.is_default && !stats_.default_seconds) stats_.default_seconds = record.result.seconds;
}

}  // namespace dovetail
