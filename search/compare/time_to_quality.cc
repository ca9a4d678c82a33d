// SPDX-License-Identifier: Apache-2.0
#include "search/compare/time_to_quality.h"

#include <cmath>
#include <limits>

#include "core/base/statistics.h"
#include "core/record/log/best_record.h"

namespace dovetail {
namespace {

std::optional<double> known_median(std::vector<double> values) {
  const double middle = median(values);
  return std::isfinite(middle) ? std::optional(middle) : std::nullopt;
}

}  // namespace

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

QualitySummary summarize_quality(std::span<const StrategyRun> runs, double optimum_seconds,
                                 double share) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  QualitySummary summary{.runs = std::ssize(runs)};
  std::vector<double> evaluations, elapsed;
  for (const StrategyRun& run : runs) {
    const std::optional<Reached> reached = time_to_quality(run, optimum_seconds, share);
    summary.reached += reached ? 1 : 0;
    evaluations.push_back(reached ? static_cast<double>(reached->evaluations) : kNever);
    elapsed.push_back(reached ? reached->elapsed_seconds : kNever);
  }
  summary.median_evaluations = known_median(std::move(evaluations));
  summary.median_elapsed_seconds = known_median(std::move(elapsed));
  return summary;
}

}  // namespace dovetail
