// SPDX-License-Identifier: Apache-2.0
#include "report/data/best_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/statistics.h"
#include "report/charts/scale.h"
#include "search/compare/statistics/bootstrap.h"

namespace dovetail {
namespace {

double end_of(const TaskRun& run, BudgetAxis axis) {
  if (axis == BudgetAxis::trials) return static_cast<double>(run.last_trial);
  return std::max(run.stats.elapsed_seconds - run.began_seconds,
                  run.curve.empty() ? 0 : run.curve.back().elapsed_seconds);
}

// Both axes are logarithmic: most is gained early, and the gains that count at the end are small.
ChartAxis budget_axis(BudgetAxis axis) {
  const bool trials = axis == BudgetAxis::trials;
  return {.title = trials ? "trials" : "seconds since the task began", .log = true};
}

// The default trace's first time, as in the curve: a later, better sample is not comparable with
// the first times of other traces.
std::optional<double> first_default_seconds(const TaskData& task) {
  std::vector<double> seconds;
  for (const TaskRun& run : task.runs)
    if (run.stats.default_first_seconds) seconds.push_back(*run.stats.default_first_seconds);
  return seconds.empty() ? std::nullopt : std::optional(median(seconds));
}

Curve curve_of(const TaskRun& run, BudgetAxis axis, double scale) {
  Curve series{.steps = true};
  for (const TimedTrial& trial : run.curve)
    series.points.push_back({trial.budget(axis), trial.seconds * scale});
  if (!series.points.empty()) series.points.push_back({end_of(run, axis), series.points.back().y});
  return series;
}

// The budgets at which any of the runs improves or ends.
std::vector<double> steps_of(const std::vector<const TaskRun*>& runs, BudgetAxis axis) {
  std::vector<double> steps;
  for (const TaskRun* run : runs) {
    for (const TimedTrial& trial : run->curve) steps.push_back(trial.budget(axis));
    steps.push_back(end_of(*run, axis));
  }
  std::ranges::sort(steps);
  const auto repeated = std::ranges::unique(steps);
  steps.erase(repeated.begin(), repeated.end());
  return steps;
}

Curve band_of(const std::vector<const TaskRun*>& runs, BudgetAxis axis, double scale) {
  Curve series{.steps = true};
  for (const double step : steps_of(runs, axis)) {
    std::vector<double> bests;
    for (const TaskRun* run : runs) bests.push_back(best_after(run->curve, axis, step) * scale);
    if (!std::isfinite(std::ranges::max(bests))) continue;  // some have found nothing yet
    const auto [low, high] = median_interval(bests);
    series.points.push_back({step, median(bests)});
    series.band.push_back({step, low, high});
  }
  return series;
}

// Thinned evenly, so that a page of 100,000 trials opens.
Curve dots_of(const TaskData& task, BudgetAxis axis, double scale) {
  constexpr size_t kMost = 2000;
  Curve series{.name = "trials", .dots = true, .colour = 7};
  size_t count = 0;
  for (const TaskRun& run : task.runs) count += run.valid.size();
  const size_t stride = (count + kMost - 1) / kMost;
  size_t index = 0;
  for (const TaskRun& run : task.runs) {
    for (const TimedTrial& trial : run.valid) {
      if (index++ % stride != 0) continue;
      series.points.push_back({trial.budget(axis), trial.seconds * scale});
    }
  }
  return series;
}

}  // namespace

LineChart best_so_far_chart(const TaskData& task, const CampaignData& data, BudgetAxis axis,
                            bool dots) {
  LineChart chart;
  double slowest = 0;
  std::map<std::string, std::vector<const TaskRun*>> by_strategy;
  for (const TaskRun& run : task.runs) {
    by_strategy[data.campaigns[run.campaign].strategy()].push_back(&run);
    if (!run.curve.empty()) slowest = std::max(slowest, run.curve.front().seconds);
  }
  const TimeUnit unit = time_unit(slowest);
  chart.x = budget_axis(axis);
  if (dots) chart.series.push_back(dots_of(task, axis, unit.per_second));
  size_t colour = 0;
  for (const auto& [strategy, runs] : by_strategy) {
    Curve series = runs.size() == 1 ? curve_of(*runs.front(), axis, unit.per_second)
                                    : band_of(runs, axis, unit.per_second);
    series.name = runs.size() == 1 ? strategy : fmt::format("{} (×{})", strategy, runs.size());
    series.colour = colour++;
    chart.series.push_back(std::move(series));
  }
  chart.y = {.title = fmt::format("best time ({})", unit.name), .log = true};
  if (const auto seconds = first_default_seconds(task))
    chart.references.push_back({.y = *seconds * unit.per_second, .name = "default"});
  return chart;
}

LineChart share_of_best_chart(const CampaignData& data, BudgetAxis axis) {
  constexpr int kPoints = 80;
  LineChart chart;
  std::vector<const TaskRun*> runs;
  double last = 0;
  double first = 1e-3;
  for (const auto& [task, run] : data.runs()) {
    if (run->curve.empty()) continue;
    runs.push_back(run);
    last = std::max(last, end_of(*run, axis));
    first = std::max(first, run->curve.front().budget(axis));
  }
  const bool trials = axis == BudgetAxis::trials;
  chart.x = {.title = trials ? "trials a task" : "seconds a task", .log = true};
  chart.y = {.title = "speed reached, of that at the end (%)"};
  Curve series{.name = "geometric mean", .solid = true};
  for (int i = 0; i <= kPoints && last > first; ++i) {
    const double budget = first * std::pow(last / first, static_cast<double>(i) / kPoints);
    std::vector<double> shares;
    for (const TaskRun* run : runs)
      shares.push_back(100 * run->curve.back().seconds / best_after(run->curve, axis, budget));
    series.points.push_back({budget, geometric_mean(shares)});
    std::ranges::sort(shares);
    series.band.push_back(
        {budget, quantile_of_sorted(shares, 0.25), quantile_of_sorted(shares, 0.75)});
  }
  chart.series.push_back(std::move(series));
  return chart;
}

}  // namespace dovetail
