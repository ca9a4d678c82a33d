// SPDX-License-Identifier: Apache-2.0
#pragma once

// TotalLimits: --total-trials and --total-seconds of tasks that share them: what is left, and what
// of it the next slice of a task may take.
//
//   TotalLimits limits(options, 21);
//   limits.allow(0.875)                       seven eighths of both, for now
//   limits.slice_trials({.slices = 2, …})     16: the third slice of a task, if as many are left
//   limits.spend(16)
//
// Slices have the same sizes for every budget, so that a larger one continues where a smaller one
// ended; the last slice is what is left. Seconds left count as trials at the pace of the results so
// far, which a resumed campaign has, too.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "campaign/tune/tune_options.h"
#include "search/task_search.h"

namespace dovetail {

class TotalLimits {
 public:
  // Both must outlive it.
  TotalLimits(const TuneOptions& options, size_t num_tasks)
      : options_(options), num_tasks_(num_tasks) {}

  // Limits what is spent to a share of both, yet to a trial of each task at least.
  void allow(double share);
  // Extends a campaign that had ended: shares of the seconds are of what the larger limit adds.
  void extend(double ended_seconds) { ended_seconds_ = ended_seconds; }
  void spend(int64_t trials) { trials_ += trials; }

  int64_t spent_trials() const { return trials_; }
  int64_t trials_left() const { return max_trials_ - trials_; }
  double max_seconds() const { return max_seconds_; }
  // For trials, without the time that is kept for confirming; infinite without a limit.
  // `last_elapsed`: campaign time of the last result.
  double seconds_left(double last_elapsed, std::span<const TaskSearch> runs) const;

  struct NextSlice {
    size_t slices = 0;          // that the task has had
    double seconds_left = 0;    // before the common limit
    double last_elapsed = 0;    // campaign time of the last result
    int64_t logged_trials = 0;  // trials of the task that the log has, not recalled yet
  };
  int64_t slice_trials(const NextSlice& next) const;

  // The time of the limit that is kept for confirming: what it is expected to take, at most its
  // share of the limit.
  double reserved_seconds(std::span<const TaskSearch> runs) const;
  // Time for confirming the first of these tasks: of what is left, the part that it is expected to
  // take of all. Time not used goes to the others. None: each task has its own limit.
  std::optional<double> confirming_seconds(std::span<const TaskSearch> runs,
                                           double left_seconds) const;

  // The task that goes before `next`, if any: a limit in seconds ended the slices of the log, so
  // that with a larger one the order of tasks differs, and what the log has comes before what takes
  // time.
  std::optional<size_t> to_recall(std::span<const TaskSearch> runs, size_t next) const;

 private:
  // The limit without what an earlier ending has spent of it.
  double shared_seconds() const { return *options_.total_seconds - ended_seconds_; }

  const TuneOptions& options_;
  size_t num_tasks_;
  double ended_seconds_ = 0;
  int64_t trials_ = 0;
  int64_t max_trials_ = std::numeric_limits<int64_t>::max();
  double max_seconds_ = std::numeric_limits<double>::infinity();
};

}  // namespace dovetail
