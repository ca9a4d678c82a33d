// SPDX-License-Identifier: Apache-2.0
#include "search/compare/strategy_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "core/base/statistics.h"
#include "search/compare/statistics/interpolation.h"

namespace dovetail {
namespace {

double time_of_rank(const SpaceStatistics& space, double rank) {
  const double last = static_cast<double>(space.seconds.size() - 1);
  return space.seconds[static_cast<size_t>(std::clamp(std::nearbyint(rank), 0.0, last))];
}

// Points of time of a run that count: a margin around the budget's, so that the fit is not bent at
// its ends.
struct TimeWindow {
  double first = 0;
  double last = 0;
  bool has(double elapsed) const { return first <= elapsed && elapsed <= last; }
};

TimeWindow window_around(const PooledRuns& runs, std::span<const double> elapsed_seconds) {
  const double margin = 0.1 + 0.25 / static_cast<double>(runs.longest - runs.first_valid);
  return {elapsed_seconds.front() * (1 - margin), elapsed_seconds.back() * (1 + margin)};
}

Result<void> check_runs_reach(const PooledRuns& runs, const TimeWindow& window) {
  std::vector<size_t> within(runs.size);
  for (const PooledRuns::Point& point : runs.points) {
    if (window.has(point.elapsed_seconds)) ++within[point.run];
  }
  for (size_t r = 0; r < within.size(); ++r) {
    if (within[r] >= 2) continue;
    return fail(fmt::format("run {} has {} evaluations between {} and {} s, expected 2 at least",
                            r + 1, within[r], window.first, window.last));
  }
  return {};
}

// `counts`: empty for once each.
std::vector<double> mean_ranks(const PooledRuns& runs, const TimeWindow& window,
                               std::span<const double> at, std::span<const double> counts) {
  std::vector<Sample> samples;
  for (const PooledRuns::Point& point : runs.points) {
    const double weight = counts.empty() ? 1 : counts[point.run];
    if (weight > 0 && window.has(point.elapsed_seconds))
      samples.push_back({point.elapsed_seconds, point.rank, weight});
  }
  return falling_fit(samples, at);
}

// Of a time among those of the space.
Result<double> rank_of(const SpaceStatistics& space, double seconds) {
  const auto found = std::ranges::lower_bound(space.seconds, seconds);
  if (found == space.seconds.end() || *found != seconds) {
    return fail(
        fmt::format("a run found {} s, which is the time of no point of its space", seconds));
  }
  return static_cast<double>(found - space.seconds.begin());
}

}  // namespace

Result<PooledRuns> pool_runs(const SpaceStatistics& space, std::span<const StrategyRun> runs) {
  if (runs.empty()) return fail("no runs, expected one at least");
  PooledRuns pooled{.size = runs.size()};
  std::vector<double> ends;
  for (size_t r = 0; r < runs.size(); ++r) {
    double elapsed = 0;
    std::optional<double> best;  // rank
    size_t before = 0;           // the first valid one
    for (const Evaluation& evaluation : runs[r]) {
      elapsed += evaluation.cost_seconds;
      if (evaluation.seconds) {
        const double rank = TRY(rank_of(space, *evaluation.seconds));
        best = std::min(best.value_or(rank), rank);
      }
      if (!best) ++before;
      if (best) pooled.points.push_back({elapsed, *best, r});
    }
    if (!best) {
      return fail(fmt::format("run {} has no valid evaluation among {}, expected one at least",
                              r + 1, runs[r].size()));
    }
    pooled.longest = std::max(pooled.longest, runs[r].size());
    pooled.first_valid = std::min(pooled.first_valid, before);
    ends.push_back(elapsed);
  }
  std::ranges::sort(pooled.points, {}, [](const PooledRuns::Point& point) {
    return std::tie(point.elapsed_seconds, point.rank);
  });
  const double half = median(ends);
  std::ranges::sort(ends);
  const auto next = std::ranges::upper_bound(ends, half);
  pooled.stops = next != ends.end();
  if (pooled.stops) pooled.stop_seconds = *next;
  return pooled;
}

Result<std::vector<double>> curve_over_time(const SpaceStatistics& space, const PooledRuns& runs,
                                            std::span<const double> elapsed_seconds,
                                            std::span<const double> counts) {
  CHECK(!elapsed_seconds.empty(), "a curve over no time");
  CHECK(counts.empty() || counts.size() == runs.size, "a count for each run");
  const TimeWindow window = window_around(runs, elapsed_seconds);
  TRY(check_runs_reach(runs, window));
  std::vector<double> curve;
  for (const double rank : mean_ranks(runs, window, elapsed_seconds, counts))
    curve.push_back(time_of_rank(space, rank));
  if (!runs.stops || runs.stop_seconds >= elapsed_seconds.back()) return curve;
  if (runs.stop_seconds <= elapsed_seconds.front()) {
    return fail(fmt::format("half of the runs end at {} s, before the budget begins at {} s",
                            runs.stop_seconds, elapsed_seconds.front()));
  }
  const auto stop =
      std::ranges::upper_bound(elapsed_seconds, runs.stop_seconds) - elapsed_seconds.begin();
  std::fill(curve.begin() + stop, curve.end(), curve[static_cast<size_t>(stop)]);
  return curve;
}

}  // namespace dovetail
