// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/task_stats.h"

#include <algorithm>

#include "core/base/statistics.h"
#include "core/record/log/best_record.h"

namespace dovetail {

void RoundTally::add(const RoundRecord& round) {
  sums_.cost_model = round.cost_model;
  sums_.rounds += 1;
  sums_.top_1_recall += round.top_1_recall;
  sums_.top_5_recall += round.top_5_recall;
  sums_.kendall_tau += round.kendall_tau;
  sums_.top_1_speed += round.top_1_speed;
  sums_.last_kendall_tau = round.kendall_tau;
  sums_.training_seconds += round.training_seconds;
  if (!round.fresh_kendall_tau) return;
  sums_.warm_start_gain =
      sums_.warm_start_gain.value_or(0) + (round.kendall_tau - *round.fresh_kendall_tau);
  judged_ += 1;
}

std::optional<RoundStats> RoundTally::stats() const {
  if (sums_.rounds == 0) return std::nullopt;
  RoundStats means = sums_;
  const auto rounds = static_cast<double>(sums_.rounds);
  for (double* sum : {&means.top_1_recall, &means.top_5_recall, &means.kendall_tau,
                      &means.top_1_speed, &means.training_seconds}) {
    *sum /= rounds;
  }
  if (means.warm_start_gain) *means.warm_start_gain /= static_cast<double>(judged_);
  return means;
}

std::optional<RoundStats> round_stats(std::span<const RoundRecord> rounds) {
  RoundTally tally;
  for (const RoundRecord& round : rounds) tally.add(round);
  return tally.stats();
}

void TaskTally::add(const Record& record) {
  if (is_empty_) {
    stats_.campaign = record.campaign;
    stats_.task = record.task;
    stats_.target = record.target;
    stats_.caches = record.caches;
    is_empty_ = false;
  }
  stats_.times += record.result.times;
  stats_.elapsed_seconds = std::max(stats_.elapsed_seconds, record.elapsed_seconds);
  stats_.rejected = std::max(stats_.rejected, record.rejected);
  switch (record.kind) {
    case RecordKind::trial: add_trial(record); break;
    case RecordKind::confirmation: stats_.confirmations += 1; break;
    case RecordKind::sentinel:
      stats_.sentinels += 1;
      if (record.result.status == Status::ok) sentinel_seconds_.push_back(record.result.seconds);
      break;
  }
  if (record.is_default && record.result.status == Status::ok) add_default(record);
}

TaskStats TaskTally::stats() const {
  TaskStats stats = stats_;
  const std::vector<double>& of_default =
      default_confirmations_.empty() ? default_seconds_ : default_confirmations_;
  if (!of_default.empty()) stats.default_seconds = median(of_default);
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
}

void TaskTally::add_default(const Record& record) {
  const double seconds = record.result.seconds;
  if (record.kind == RecordKind::confirmation) {
    if (record.sitting < default_sitting_) return;
    if (record.sitting > 0) default_confirmations_.clear();  // one line per sitting, the last
    default_sitting_ = record.sitting;
    default_confirmations_.push_back(seconds);
    return;
  }
  default_seconds_.push_back(seconds);
  if (record.kind == RecordKind::trial && !stats_.default_first_seconds)
    stats_.default_first_seconds = seconds;
}

}  // namespace dovetail
