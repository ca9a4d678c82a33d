// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/total_limits.h"

#include <algorithm>

#include "search/confirmation_plan.h"

namespace dovetail {
namespace {

double expected_confirming_seconds(std::span<const TaskSearch> runs) {
  double seconds = 0;
  for (const TaskSearch& run : runs) seconds += run.tuner->expected_confirming_seconds();
  return seconds;
}

}  // namespace

void TotalLimits::allow(double share) {
  if (options_.total_trials) {
    const auto each_once = static_cast<int64_t>(num_tasks_);
    const auto part = static_cast<int64_t>(share * static_cast<double>(*options_.total_trials));
    max_trials_ = std::max(part, std::min(each_once, *options_.total_trials));
  }
  if (options_.total_seconds) max_seconds_ = ended_seconds_ + share * shared_seconds();
}

double TotalLimits::seconds_left(double last_elapsed, std::span<const TaskSearch> runs) const {
  return max_seconds_ - last_elapsed - reserved_seconds(runs);
}

int64_t TotalLimits::slice_trials(const NextSlice& next) const {
  constexpr int64_t kRound = 16, kSlice = 64;
  const int64_t whole = next.slices == 0 ? 1 : next.slices <= 4 ? kRound : kSlice;
  int64_t fitting = trials_left();
  if (options_.total_seconds && trials_ > 0 && next.last_elapsed > 0) {
    const double pace = next.last_elapsed / static_cast<double>(trials_);
    const double in_time = std::min(next.seconds_left / pace, static_cast<double>(kSlice));
    fitting = std::min(fitting, std::max(static_cast<int64_t>(in_time), int64_t{1}));
    if (next.logged_trials > 0) fitting = std::min(fitting, next.logged_trials);
  }
  return std::min(whole, fitting);
}

double TotalLimits::reserved_seconds(std::span<const TaskSearch> runs) const {
  if (!options_.total_seconds) return 0;
  return std::min(expected_confirming_seconds(runs), kConfirmingShare * shared_seconds());
}

std::optional<double> TotalLimits::confirming_seconds(std::span<const TaskSearch> runs,
                                                      double left_seconds) const {
  if (!options_.total_seconds) return std::nullopt;
  const double all = expected_confirming_seconds(runs);
  if (all == 0) return 0;
  const double left = std::max(left_seconds, 0.0);
  return left * runs.front().tuner->expected_confirming_seconds() / all;
}

std::optional<size_t> TotalLimits::to_recall(std::span<const TaskSearch> runs, size_t next) const {
  if (!options_.total_seconds || runs[next].history->unrecalled_trials() > 0) return std::nullopt;
  const auto logged = std::ranges::find_if(
      runs, [](const TaskSearch& run) { return run.history->unrecalled_trials() > 0; });
  if (logged == runs.end()) return std::nullopt;
  return static_cast<size_t>(logged - runs.begin());
}

}  // namespace dovetail
