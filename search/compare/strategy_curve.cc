// SPDX-License-Identifier: Apache-2.0
#include "search/compare/strategy_curve.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "core/base/fail.h"
#include "core/base/statistics.h"
#include "search/compare/statistics/bootstrap.h"
#include "search/compare/statistics/interpolation.h"

namespace dovetail {
namespace {

double time_of_rank(const SpaceStatistics& space, double rank) {
  const double last = static_cast<double>(space.seconds.size() - 1);
  return space.seconds[static_cast<size_t>(std::clamp(std::nearbyint(rank), 0.0, last))];
}

void sort_by_time(std::vector<PooledRuns::Point>& points) {
  std::ranges::sort(points, {}, [](const PooledRuns::Point& point) {
    return std::tie(point.elapsed_seconds, point.rank);
  });
}

// Only points of runs inside the budget and a margin around it count, so that the fit is not bent
// at its ends.
struct TimeWindow {
  double first = 0;
  double last = 0;
  bool has(double elapsed) const { return first <= elapsed && elapsed <= last; }
};

TimeWindow window_around(const PooledRuns& runs, std::span<const double> elapsed_seconds) {
  const size_t longest = std::max(runs.longest, runs.first_valid + 1);
  const double margin = 0.1 + 0.25 / static_cast<double>(longest - runs.first_valid);
  return {elapsed_seconds.front() * (1 - margin), elapsed_seconds.back() * (1 + margin)};
}

// How many results each run has within the window.
std::vector<size_t> results_within(const PooledRuns& runs, const TimeWindow& window) {
  std::vector<size_t> within(runs.size);
  for (const PooledRuns::Point& point : runs.points)
    if (window.has(point.elapsed_seconds)) ++within[point.run];
  return within;
}

constexpr size_t kFewestResults = 2;

// The rank of the best that a run held at a time; `slowest` before its first.
double rank_at(const PooledRuns& runs, size_t run, double elapsed, double slowest) {
  double rank = slowest;
  for (const PooledRuns::Point& point : runs.points)
    if (point.run == run && point.elapsed_seconds <= elapsed) rank = point.rank;
  return rank;
}

// The points that a fit is made of, by time, then by rank.
std::vector<PooledRuns::Point> points_within(const PooledRuns& runs, const TimeWindow& window,
                                             double slowest) {
  std::vector<PooledRuns::Point> points;
  for (const PooledRuns::Point& point : runs.points)
    if (window.has(point.elapsed_seconds)) points.push_back(point);
  const std::vector<size_t> within = results_within(runs, window);
  bool is_sorted = true;  // as the runs' points are; bootstraps ask for each draw
  for (size_t run = 0; run < within.size(); ++run) {
    if (within[run] >= kFewestResults) continue;
    is_sorted = false;
    std::erase_if(points, [&](const PooledRuns::Point& point) { return point.run == run; });
    for (const double at : {window.first, window.last})
      points.push_back({at, rank_at(runs, run, at, slowest), run});
  }
  if (!is_sorted) sort_by_time(points);
  return points;
}

// Each run counts as often as `counts` tells, or once if that is empty.
std::vector<double> mean_ranks(std::span<const PooledRuns::Point> points,
                               std::span<const double> at, std::span<const double> counts) {
  std::vector<Sample> samples;
  for (const PooledRuns::Point& point : points) {
    const double weight = counts.empty() ? 1 : counts[point.run];
    if (weight > 0) samples.push_back({point.elapsed_seconds, point.rank, weight});
  }
  return falling_fit(samples, at);
}

// A time's rank is its position among the times of the space, 0 the fastest.
Result<double> rank_of(const SpaceStatistics& space, double seconds) {
  const auto found = std::ranges::lower_bound(space.seconds, seconds);
  if (found == space.seconds.end() || *found != seconds)
    return fail("a run found {} s, which is the time of no point of its space", seconds);
  return static_cast<double>(found - space.seconds.begin());
}

constexpr double kNothing = std::numeric_limits<double>::infinity();

// Infinity means that nothing was found, and becomes NaN.
double known(double seconds) {
  return std::isfinite(seconds) ? seconds : std::numeric_limits<double>::quiet_NaN();
}

// The median of values weighted by `counts`; `order` sorts the values.
double counted_median(std::span<const double> values, std::span<const size_t> order,
                      std::span<const double> counts) {
  const auto total = static_cast<double>(values.size());  // also the sum of all counts
  double below = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    below += counts[order[k]];
    if (below * 2 > total) return values[order[k]];
    if (below * 2 < total) continue;
    size_t next = k + 1;
    while (next < order.size() && counts[order[next]] == 0) ++next;
    const double above = next < order.size() ? values[order[next]] : values[order[k]];
    return std::isfinite(above) ? (values[order[k]] + above) / 2 : above;
  }
  return values[order.back()];
}

void add_point(double at, std::span<const double> values,
               std::span<const std::vector<double>> draws, double confidence, Series& series) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t k) { return values[k]; });
  std::vector<double> medians;
  for (const std::vector<double>& counts : draws)
    medians.push_back(counted_median(values, order, counts));
  std::ranges::sort(medians);
  const double tail = (1 - confidence) / 2;
  const auto last = static_cast<double>(medians.size() - 1);
  series.at.push_back(at);
  series.middle.push_back(known(median(values)));
  series.low.push_back(known(medians[static_cast<size_t>(std::floor(tail * last))]));
  series.high.push_back(known(medians[static_cast<size_t>(std::ceil((1 - tail) * last))]));
}

Series series_of(std::span<const StrategyRun> runs, std::span<const double> at, BudgetAxis axis,
                 const SeriesOptions& options) {
  std::vector<std::vector<TimedTrial>> curves;
  for (const StrategyRun& run : runs) curves.push_back(best_so_far(run));
  const auto draws = draw_counts(runs.size(), options.resamples, options.seed);
  Series series;
  for (const double budget : at) {
    std::vector<double> values;
    for (const auto& curve : curves) values.push_back(best_after(curve, axis, budget));
    add_point(budget, values, draws, options.confidence, series);
  }
  return series;
}

std::optional<double> known_median(std::vector<double> values) {
  const double middle = median(values);
  return std::isfinite(middle) ? std::optional(middle) : std::nullopt;
}

}  // namespace

Result<PooledRuns> pool_runs(const SpaceStatistics& space, std::span<const StrategyRun> runs) {
  if (runs.empty()) return fail("no runs, expected one at least");
  PooledRuns pooled{.size = runs.size()};
  std::vector<double> ends;
  for (size_t r = 0; r < runs.size(); ++r) {
    double elapsed = 0;
    std::optional<double> best;  // rank
    size_t before = 0;           // evaluations before the first valid one
    for (const Evaluation& evaluation : runs[r]) {
      elapsed += evaluation.cost_seconds;
      if (evaluation.seconds) {
        const double rank = TRY(rank_of(space, *evaluation.seconds));
        best = std::min(best.value_or(rank), rank);
      }
      if (!best) ++before;
      if (best) pooled.points.push_back({elapsed, *best, r});
    }
    pooled.longest = std::max(pooled.longest, runs[r].size());
    pooled.first_valid = std::min(pooled.first_valid, before);
    ends.push_back(elapsed);
  }
  sort_by_time(pooled.points);
  const double half = median(ends);
  std::ranges::sort(ends);
  const auto next = std::ranges::upper_bound(ends, half);
  pooled.stops = next != ends.end();
  if (pooled.stops) pooled.stop_seconds = *next;
  return pooled;
}

StrategyRun completed(StrategyRun run, int64_t trials) {
  if (run.empty()) return run;
  double seconds = 0;
  for (const Evaluation& evaluation : run) seconds += evaluation.cost_seconds;
  const Evaluation failure{.cost_seconds = seconds / static_cast<double>(run.size())};
  run.resize(std::max(run.size(), static_cast<size_t>(std::max<int64_t>(trials, 0))), failure);
  return run;
}

size_t runs_out_of_time(const PooledRuns& runs, std::span<const double> elapsed_seconds) {
  const std::vector<size_t> within = results_within(runs, window_around(runs, elapsed_seconds));
  return static_cast<size_t>(
      std::ranges::count_if(within, [](size_t results) { return results < kFewestResults; }));
}

std::vector<double> curve_over_time(const SpaceStatistics& space, const PooledRuns& runs,
                                    std::span<const double> elapsed_seconds,
                                    std::span<const double> counts) {
  CHECK(!elapsed_seconds.empty(), "a curve over no time");
  CHECK(counts.empty() || counts.size() == runs.size, "a count for each run");
  const TimeWindow window = window_around(runs, elapsed_seconds);
  const auto slowest = static_cast<double>(space.seconds.size() - 1);
  std::vector<double> curve;
  for (const double rank :
       mean_ranks(points_within(runs, window, slowest), elapsed_seconds, counts))
    curve.push_back(time_of_rank(space, rank));
  if (!runs.stops || runs.stop_seconds >= elapsed_seconds.back()) return curve;
  const auto stop =
      std::ranges::upper_bound(elapsed_seconds, runs.stop_seconds) - elapsed_seconds.begin();
  std::fill(curve.begin() + stop, curve.end(), curve[static_cast<size_t>(stop)]);
  return curve;
}

std::vector<TimedTrial> best_so_far(std::span<const TimedTrial> trials) {
  std::vector<TimedTrial> curve;
  for (const TimedTrial& trial : trials)
    if (curve.empty() || trial.seconds < curve.back().seconds) curve.push_back(trial);
  return curve;
}

std::vector<TimedTrial> best_so_far(const StrategyRun& run) {
  std::vector<TimedTrial> valid;
  TimedTrial next;
  for (const Evaluation& evaluation : run) {
    next.trial += 1;
    next.elapsed_seconds += evaluation.cost_seconds;
    next.seconds = evaluation.seconds.value_or(kNothing);
    if (evaluation.seconds) valid.push_back(next);
  }
  return best_so_far(valid);
}

double best_after(std::span<const TimedTrial> curve, BudgetAxis axis, double budget) {
  const auto next = std::ranges::find_if(
      curve, [&](const TimedTrial& trial) { return trial.budget(axis) > budget; });
  return next == curve.begin() ? kNothing : std::prev(next)->seconds;
}

Series best_over_trials(std::span<const StrategyRun> runs, int64_t trials,
                        const SeriesOptions& options) {
  std::vector<double> at;
  const auto last = static_cast<double>(std::max<int64_t>(trials, 1));
  const size_t points = std::min(options.points, static_cast<size_t>(last));
  for (size_t k = 0; k < points; ++k) {
    const double share = points == 1 ? 1 : static_cast<double>(k) / static_cast<double>(points - 1);
    at.push_back(std::round(1 + share * (last - 1)));
  }
  return series_of(runs, at, BudgetAxis::trials, options);
}

Series best_over_seconds(std::span<const StrategyRun> runs, double seconds,
                         const SeriesOptions& options) {
  return series_of(runs, evenly_spaced(0, seconds, options.points), BudgetAxis::seconds, options);
}

std::optional<TimedTrial> time_to_quality(const StrategyRun& run, double optimum_seconds,
                                          double share) {
  for (const TimedTrial& trial : best_so_far(run))
    if (trial.seconds * share <= optimum_seconds) return trial;
  return std::nullopt;
}

QualityReached summarize_quality(std::span<const StrategyRun> runs, double optimum_seconds,
                                 double share) {
  QualityReached summary{.share = share, .runs = std::ssize(runs)};
  std::vector<double> evaluations, elapsed;
  for (const StrategyRun& run : runs) {
    const std::optional<TimedTrial> reached = time_to_quality(run, optimum_seconds, share);
    summary.reached += reached ? 1 : 0;
    evaluations.push_back(reached ? static_cast<double>(reached->trial) : kNothing);
    elapsed.push_back(reached ? reached->elapsed_seconds : kNothing);
  }
  summary.trials = known_median(std::move(evaluations));
  summary.seconds = known_median(std::move(elapsed));
  return summary;
}

}  // namespace dovetail
