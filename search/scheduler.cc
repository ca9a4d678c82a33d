// SPDX-License-Identifier: Apache-2.0
#include "search/scheduler.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"

namespace dovetail {

namespace {

constexpr double kAlpha = 0.2;  // weight of the observed gain against the guess
constexpr double kBeta = 2;    // how much slower than the best of its kind a task may be in the end
constexpr size_t kWindow = 3;  // slices to look back

}  // namespace

std::optional<size_t> TaskScheduler::next() const {
  std::optional<size_t> best;
  double best_gain = 0;
  for (size_t task = 0; task < tasks_.size(); ++task) {
    if (states_[task].finished) continue;
    if (states_[task].history.empty()) return task;
    const double gain = expected_gain(task);
    if (best && gain <= best_gain) continue;
    best = task;
    best_gain = gain;
  }
  return best;
}

void TaskScheduler::report(size_t task, std::optional<double> best_seconds, bool finished) {
  CHECK(task < states_.size(), "a task of the scheduler's");
  states_[task].history.push_back(best_seconds);
  states_[task].finished = finished;
}

size_t TaskScheduler::unfinished() const {
  return static_cast<size_t>(std::ranges::count(states_, false, &State::finished));
}

double TaskScheduler::expected_gain(size_t task) const {
  const auto& history = states_[task].history;
  const double now = seconds_of(task);
  double seen = 0;
  if (history.size() > kWindow) {
    const std::optional<double> before = history[history.size() - 1 - kWindow];
    if (before) seen = (*before - now) / static_cast<double>(kWindow);
  }
  double guess = now / static_cast<double>(history.size());
  const double rate = best_rate(tasks_[task].kind);
  if (rate > 0) {
    const double too_slow = now - kBeta * tasks_[task].nominal_flops / rate;
    guess = std::max(guess, too_slow / stale_slices(task));
  }
  return tasks_[task].weight * (kAlpha * seen + (1 - kAlpha) * guess);
}

// Slices since the best time last fell by more than 1 %, that slice included.
double TaskScheduler::stale_slices(size_t task) const {
  constexpr double kFall = 1.01;
  const auto& history = states_[task].history;
  size_t count = 1;
  while (count < history.size()) {
    const std::optional<double> before = history[history.size() - 1 - count];
    if (history.back() && (!before || *before > kFall * *history.back())) break;
    ++count;
  }
  return static_cast<double>(count);
}

double TaskScheduler::seconds_of(size_t task) const {
  if (const std::optional<double> known = states_[task].history.back()) return *known;
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
  if (history.empty() || !history.back()) return std::nullopt;
  return tasks_[task].nominal_flops / *history.back();
}

}  // namespace dovetail
