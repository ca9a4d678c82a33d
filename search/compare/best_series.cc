// SPDX-License-Identifier: Apache-2.0
#include "search/compare/best_series.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/base/statistics.h"
#include "search/compare/statistics/bootstrap.h"
#include "search/compare/statistics/interpolation.h"

namespace dovetail {
namespace {

constexpr double kNothing = std::numeric_limits<double>::infinity();

// Infinity: nothing was found.
double known(double seconds) {
  return std::isfinite(seconds) ? seconds : std::numeric_limits<double>::quiet_NaN();
}

// The median of values that count so often each; `order` sorts them.
double counted_median(std::span<const double> values, std::span<const size_t> order,
                      std::span<const double> counts) {
  const auto total = static_cast<double>(values.size());  // of all counts, too
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

using BestAt = std::function<double(size_t run, double at)>;

Series series_of(size_t runs, std::span<const double> at, const BestAt& best,
                 const SeriesOptions& options) {
  const std::vector<std::vector<double>> draws = draw_counts(runs, options.resamples, options.seed);
  Series series;
  for (const double x : at) {
    std::vector<double> values;
    for (size_t run = 0; run < runs; ++run) values.push_back(best(run, x));
    add_point(x, values, draws, options.confidence, series);
  }
  return series;
}

struct Steps {
  std::vector<double> elapsed, best;  // infinity before the first valid one
};

Steps steps_of(const StrategyRun& run) {
  Steps steps;
  double elapsed = 0, best = kNothing;
  for (const Evaluation& evaluation : run) {
    elapsed += evaluation.cost_seconds;
    best = std::min(best, evaluation.seconds.value_or(kNothing));
    steps.elapsed.push_back(elapsed);
    steps.best.push_back(best);
  }
  return steps;
}

std::optional<double> known_median(std::vector<double> values) {
  const double middle = median(values);
  return std::isfinite(middle) ? std::optional(middle) : std::nullopt;
}

}  // namespace

std::vector<double> best_so_far(const StrategyRun& run) {
  std::vector<double> best = steps_of(run).best;
  std::ranges::transform(best, best.begin(), known);
  return best;
}

Series best_over_trials(std::span<const StrategyRun> runs, int64_t trials,
                        const SeriesOptions& options) {
  std::vector<Steps> steps;
  for (const StrategyRun& run : runs) steps.push_back(steps_of(run));
  std::vector<double> at;
  const auto last = static_cast<double>(std::max<int64_t>(trials, 1));
  const size_t points = std::min(options.points, static_cast<size_t>(last));
  for (size_t k = 0; k < points; ++k) {
    const double share = points == 1 ? 1 : static_cast<double>(k) / static_cast<double>(points - 1);
    at.push_back(std::round(1 + share * (last - 1)));
  }
  return series_of(
      runs.size(), at,
      [&](size_t run, double trial) {
        const std::vector<double>& best = steps[run].best;
        if (best.empty()) return kNothing;
        return best[std::min(best.size(), static_cast<size_t>(trial)) - 1];
      },
      options);
}

Series best_over_seconds(std::span<const StrategyRun> runs, double seconds,
                         const SeriesOptions& options) {
  std::vector<Steps> steps;
  for (const StrategyRun& run : runs) steps.push_back(steps_of(run));
  return series_of(
      runs.size(), evenly_spaced(0, seconds, options.points),
      [&](size_t run, double at) {
        const Steps& own = steps[run];
        const auto done = std::ranges::upper_bound(own.elapsed, at) - own.elapsed.begin();
        return done == 0 ? kNothing : own.best[static_cast<size_t>(done - 1)];
      },
      options);
}

std::optional<Reached> time_to_quality(const StrategyRun& run, double optimum_seconds,
                                       double share) {
  Reached reached;
  for (const Evaluation& evaluation : run) {
    ++reached.evaluations;
    reached.elapsed_seconds += evaluation.cost_seconds;
    if (evaluation.seconds && *evaluation.seconds * share <= optimum_seconds) return reached;
  }
  return std::nullopt;
}

QualityReached summarize_quality(std::span<const StrategyRun> runs, double optimum_seconds,
                                 double share) {
  QualityReached summary{.share = share, .runs = std::ssize(runs)};
  std::vector<double> evaluations, elapsed;
  for (const StrategyRun& run : runs) {
    const std::optional<Reached> reached = time_to_quality(run, optimum_seconds, share);
    summary.reached += reached ? 1 : 0;
    evaluations.push_back(reached ? static_cast<double>(reached->evaluations) : kNothing);
    elapsed.push_back(reached ? reached->elapsed_seconds : kNothing);
  }
  summary.trials = known_median(std::move(evaluations));
  summary.seconds = known_median(std::move(elapsed));
  return summary;
}

}  // namespace dovetail
