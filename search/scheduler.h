// SPDX-License-Identifier: Apache-2.0
#pragma once

// TaskScheduler: which task of a campaign gets the next slice of a shared budget: the one whose
// weighted latency is expected to fall most for it.
//
//   TaskScheduler scheduler({{.weight = 9, .nominal_flops = 2e8, .kind = "c2d"}, ...});
//   while (const std::optional<size_t> task = scheduler.next()) {
//     ...measure a slice of trials of it...
//     scheduler.report(*task, best_seconds, /*finished=*/false);
//   }
//
// A network's time is f = sum of w_i g_i: how often it runs task i, times the best time found for
// it. After t_i slices, the next one is expected to change g_i by
//
//   alpha * (g_i(t_i) - g_i(t_i - window)) / window
//     + (1 - alpha) * min(-g_i / t_i, (beta * flops_i / (best rate of its kind) - g_i) / stale_i)
//
// the mean of what its last slices gained and of an optimistic guess: that the time falls to that
// of t_i + 1 out of t_i slices, or to what the best task of its kind would need, whichever is less.
// This is the gradient scheduler of Zheng et al., "Ansor: Generating High-Performance Tensor
// Programs for Deep Learning", OSDI 2020, section 6, with its defaults and three deviations:
//
//   - No epsilon-greedy choice: same results, same order, so that a campaign can be resumed.
//   - stale_i, the slices since the time last fell by more than 1 %: a task that cannot be as fast
//     as others of its kind would else be promised the same gain in vain, for ever.
//   - A task without a valid candidate has no g: it counts as slow as the slowest of the others per
//     operation.
//
// The guess of a task that waits stays, that of the others shrinks with the slices they get in
// vain: nobody waits for ever.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

struct ScheduledTask {
  double weight = 1;         // how often it occurs in the workload
  double nominal_flops = 1;  // of one run
  std::string kind = {};     // tasks of one kind are expected to reach similar rates
};

class TaskScheduler {
 public:
  explicit TaskScheduler(std::vector<ScheduledTask> tasks)
      : tasks_(std::move(tasks)), states_(tasks_.size()) {}

  // Each task once, in order, then by the rule; equal ones in order. Nothing: all are finished.
  std::optional<size_t> next() const;
  // After a slice of the task: the best time so far, nothing while no candidate is valid.
  void report(size_t task, std::optional<double> best_seconds, bool finished);

  size_t slices(size_t task) const { return states_[task].history.size(); }
  size_t unfinished() const;

 private:
  struct State {
    std::vector<std::optional<double>> history;  // best time after each slice
    bool finished = false;
  };
  double expected_gain(size_t task) const;  // of w g, of the next slice; 0 or more
  double seconds_of(size_t task) const;
  double stale_slices(size_t task) const;
  double best_rate(const std::string& kind) const;   // FLOP/s; 0: unknown
  std::optional<double> rate_of(size_t task) const;  // likewise, of its best time

  std::vector<ScheduledTask> tasks_;
  std::vector<State> states_;
};

}  // namespace dovetail
