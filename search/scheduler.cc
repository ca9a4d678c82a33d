// SPDX-License-Identifier: Apache-2.0
#include "search/scheduler.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"

namespace dovetail {

namespace {

constexpr double kAlpha = 0.2;  // weight of the observed gain against the guess
constexpr double kBeta = 2;     // how much slower than its kind's best a task may be in the end
constexpr size_t kWindow = 3;   // slices to look back
constexpr size_t kFlatSlices =
    6;  // so many in a row without a gain, and a task lets others go first

}  // namespace

std::optional<size_t> TaskScheduler::next() const {
  for (size_t task = 0; task < tasks_.size(); ++task)
    if (!states_[task].finished && states_[task].history.empty()) return task;
  const std::optional<size_t> best = most_promising(/*once_only=*/false);
  if (!best || flat_slices(*best) < kFlatSlices) return best;
  const std::optional<size_t> waiting = most_promising(/*once_only=*/true);
  return waiting ? waiting : best;
}

// Among all, or among those that have had one slice only.
std::optional<size_t> TaskScheduler::most_promising(bool once_only) const {
  std::optional<size_t> best;
  double best_gain = 0;
  for (size_t task = 0; task < tasks_.size(); ++task) {
    if (states_[task].finished || (once_only && slices(task) > 1)) continue;
    const double gain = expected_gain(task);
    if (best && gain <= best_gain) continue;
    best = task;
    best_gain = gain;
  }
  return best;
}

void TaskScheduler::report(size_t task, const Slice& slice, bool finished) {
  CHECK(task < states_.size(), "a task of the scheduler's");
  states_[task].history.push_back(slice);
  states_[task].finished = finished;
}

size_t TaskScheduler::unfinished() const {
  return static_cast<size_t>(std::ranges::count(states_, false, &State::finished));
}

double TaskScheduler::expected_gain(size_t task) const {
  const std::vector<Slice>& history = states_[task].history;
  const double now = seconds_of(task);
  double seen = 0;
  if (history.size() > kWindow) {
    const std::optional<double> before = history[history.size() - 1 - kWindow].best_seconds;
    if (before) seen = (*before - now) / trials_of_last(task, kWindow);
  }
  double guess = now / trials_of_last(task, history.size());
  const size_t flat = flat_slices(task);
  const double rate = best_rate(tasks_[task].kind);
  if (rate > 0) {
    const double too_slow = now - kBeta * tasks_[task].nominal_flops / rate;
    guess = std::max(guess, too_slow / trials_of_last(task, flat));
  }
  if (flat > kWindow) guess *= static_cast<double>(kWindow) / static_cast<double>(flat);
  return tasks_[task].weight * (kAlpha * seen + (1 - kAlpha) * guess);
}

// Slices since the best time last fell by more than 1 %, that slice included.
size_t TaskScheduler::flat_slices(size_t task) const {
  constexpr double kFall = 1.01;
  const std::vector<Slice>& history = states_[task].history;
  const std::optional<double> now = history.back().best_seconds;
  size_t count = 1;
  while (count < history.size()) {
    const std::optional<double> before = history[history.size() - 1 - count].best_seconds;
    if (now && (!before || *before > kFall * *now)) break;
    ++count;
  }
  return count;
}

double TaskScheduler::trials_of_last(size_t task, size_t slices) const {
  const std::vector<Slice>& history = states_[task].history;
  int64_t trials = 0;
  for (size_t i = history.size() - slices; i < history.size(); ++i) trials += history[i].trials;
  return static_cast<double>(std::max<int64_t>(trials, 1));
}

double TaskScheduler::seconds_of(size_t task) const {
  if (const std::optional<double> known = states_[task].history.back().best_seconds) return *known;
  double slowest_rate = std::numeric_limits<double>::infinity();
  for (size_t other = 0; other < tasks_.size(); ++other)
    slowest_rate = std::min(slowest_rate, rate_of(other).value_or(slowest_rate));
  // No task has a time yet: any rate will do.
  if (slowest_rate == std::numeric_limits<double>::infinity()) slowest_rate = 1;
  return tasks_[task].nominal_flops / slowest_rate;
}

double TaskScheduler::best_rate(const std::string& kind) const {
  double best = 0;
  size_t count = 0;
  for (size_t task = 0; task < tasks_.size(); ++task) {
    if (tasks_[task].kind != kind) continue;
    ++count;
    best = std::max(best, rate_of(task).value_or(0));
  }
  return count > 1 ? best : 0;
}

std::optional<double> TaskScheduler::rate_of(size_t task) const {
  const auto& history = states_[task].history;
  if (history.empty() || !history.back().best_seconds) return std::nullopt;
  return tasks_[task].nominal_flops / *history.back().best_seconds;
}

}  // namespace dovetail
