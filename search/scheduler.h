// SPDX-License-Identifier: Apache-2.0
#pragma once

// TaskScheduler: picks the task that gets the next slice of a campaign's shared budget: the one
// whose weighted latency is expected to fall most with each trial.
//
//   TaskScheduler scheduler({{.weight = 9, .nominal_flops = 2e8, .kind = "c2d"}, ...});
//   while (const std::optional<size_t> task = scheduler.next()) {
//     ...measure a slice of trials of it...
//     scheduler.report(*task, {.trials = 16, .best_seconds = best}, /*finished=*/false);
//   }
//
// A network's time is f = sum of w_i g_i, with w_i how often it runs task i and g_i the best time
// found for it. After t_i trials, the next one is expected to change g_i by
//
//   alpha * (gain of the last `window` slices) / (their trials)
//     + (1 - alpha) * min(-g_i / t_i, (beta * flops_i / (best rate of its kind) - g_i) / stale_i)
//         * min(1, window / flat_i)
//
// the weighted mean of the last slices' gain and of an optimistic guess: that g_i falls by its
// t_i-th part, or towards beta times the time at its kind's best rate, whichever is more. This is
// the gradient scheduler of Zheng et al., "Ansor: Generating High-Performance Tensor Programs for
// Deep Learning", OSDI 2020, section 6, with its defaults and these deviations:
//
//   - No epsilon-greedy choice: the order is deterministic, so that a campaign can be resumed.
//   - Per trial, not per slice: Ansor's slices are of one size, ours grow from 1 trial to 64. By
//     slices, a task of 257 trials (8 slices) would seem just eight times as well known as one of
//     which only the default trace is measured.
//   - flat_i and stale_i, the slices and the trials since the time last fell by more than 1 %: a
//     task that gains nothing for longer than Ansor's backward window is expected to gain less, and
//     one that cannot be as fast as others of its kind is not promised the same gain for ever.
//   - A task without a valid candidate has no g: it is taken to run at the slowest rate of the
//     others.
//   - A task that is flat for `kFlatSlices` waits for all that have had their first slice only, be
//     they ever so light.
//
// The guess of a waiting task stays, while that of others shrinks with slices that gain nothing: no
// task starves.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

struct ScheduledTask {
  double weight = 1;         // how often it occurs in the workload
  double nominal_flops = 1;  // per run
  std::string kind = {};     // tasks of one kind are expected to reach similar rates
};

// A slice, and the best time after it.
struct Slice {
  int64_t trials = 1;                  // in this slice; 0: it only found that the task is finished
  std::optional<double> best_seconds;  // found so far; empty while no candidate is valid
};

class TaskScheduler {
 public:
  explicit TaskScheduler(std::vector<ScheduledTask> tasks)
      : tasks_(std::move(tasks)), states_(tasks_.size()) {}

  // Each task once, in order, then by the rule; ties in order. Empty: all are finished.
  std::optional<size_t> next() const;
  // Call after a slice of the task.
  void report(size_t task, const Slice& slice, bool finished);

  size_t slices(size_t task) const { return states_[task].history.size(); }
  size_t unfinished() const;

 private:
  struct State {
    std::vector<Slice> history;
    bool finished = false;
  };
  std::optional<size_t> most_promising(bool once_only) const;
  double expected_gain(size_t task) const;  // expected fall of w g with the next trial; 0 or more
  double seconds_of(size_t task) const;
  size_t flat_slices(size_t task) const;
  double trials_of_last(size_t task, size_t slices) const;
  double best_rate(const std::string& kind) const;   // FLOP/s; 0: unknown, or a kind of one task
  std::optional<double> rate_of(size_t task) const;  // FLOP/s at its best time

  std::vector<ScheduledTask> tasks_;
  std::vector<State> states_;
};

}  // namespace dovetail
