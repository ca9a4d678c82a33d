// SPDX-License-Identifier: Apache-2.0
#include "search/compare/statistics/space_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/base/fail.h"
#include "core/base/statistics.h"
#include "search/compare/statistics/interpolation.h"

namespace dovetail {

Result<SpaceStatistics> space_statistics(std::span<const Evaluation> points) {
  SpaceStatistics space;
  std::vector<double> costs, valid_costs, invalid_costs;
  for (const Evaluation& point : points) {
    if (point.cost_seconds < 0 || !std::isfinite(point.cost_seconds))
      return fail("a point of the space cost {} s, expected a time from 0", point.cost_seconds);
    costs.push_back(point.cost_seconds);
    (point.seconds ? valid_costs : invalid_costs).push_back(point.cost_seconds);
    if (point.seconds) space.seconds.push_back(*point.seconds);
  }
  if (space.seconds.empty())
    return fail("the space has no valid point among {}, expected one at least", points.size());
  std::ranges::sort(space.seconds);
  space.median_seconds = median(space.seconds);
  space.median_cost_seconds = median(costs);
  space.mean_cost_seconds = mean(valid_costs);
  if (!invalid_costs.empty()) {
    const double share =
        static_cast<double>(invalid_costs.size()) / static_cast<double>(points.size());
    space.mean_cost_seconds += share * mean(invalid_costs);
  }
  return space;
}

Result<int64_t> cutoff_evaluations(const SpaceStatistics& space, double cutoff) {
  const double target = space.optimum() + (space.median_seconds - space.optimum()) * (1 - cutoff);
  // `index`: position, slowest first, of the first time that is at most the target.
  const auto at_most = std::ranges::upper_bound(space.seconds, target) - space.seconds.begin();
  const auto size = static_cast<int64_t>(space.seconds.size());
  int64_t index = size - at_most;
  if (cutoff != 1 && space.seconds[static_cast<size_t>(at_most - 1)] == space.optimum()) {
    if (index == 0) {
      return fail("all {} times of the space are {} s: there is nothing to find", size,
                  space.optimum());
    }
    --index;
  }
  return static_cast<int64_t>(
      std::ceil(static_cast<double>(index) / static_cast<double>(size + 1 - index)));
}

Result<Budget> comparison_budget(const SpaceStatistics& space, const BudgetOptions& options) {
  Budget budget;
  budget.first_evaluations = TRY(cutoff_evaluations(space, options.cutoff_start));
  const int64_t most = TRY(cutoff_evaluations(space, 1.0));
  budget.last_evaluations = std::max(TRY(cutoff_evaluations(space, options.cutoff_end)),
                                     std::min(most, options.min_evaluations));
  if (options.max_evaluations > 0)
    budget.last_evaluations = std::min(budget.last_evaluations, options.max_evaluations);
  // Too close to each other for a curve. (The package then compares an evaluation count with a
  // time, and ends at the smaller; here two evaluation counts are compared.)
  if (budget.last_evaluations - budget.first_evaluations < 2) {
    const bool at_start = budget.first_evaluations == 0;
    budget.last_evaluations = std::min(most, budget.last_evaluations + (at_start ? 2 : 1));
    if (!at_start) --budget.first_evaluations;
  }
  if (budget.last_evaluations <= budget.first_evaluations) {
    return fail(
        "the budget ends at evaluation {} and begins at {}: a space of {} "
        "valid points is too small to compare on",
        budget.last_evaluations, budget.first_evaluations, space.seconds.size());
  }
  budget.first_seconds = static_cast<double>(budget.first_evaluations) * space.median_cost_seconds;
  budget.last_seconds = static_cast<double>(budget.last_evaluations) * space.median_cost_seconds;
  return budget;
}

double expected_best_of_random(const SpaceStatistics& space, int64_t evaluations) {
  CHECK(evaluations >= 0, "a negative number of evaluations");
  const auto size = static_cast<int64_t>(space.seconds.size());
  const double position =
      static_cast<double>(evaluations * (size + 1)) / static_cast<double>(evaluations + 1);
  const int64_t index = std::min(size - 1, static_cast<int64_t>(std::nearbyint(position)));
  return space.seconds[static_cast<size_t>(size - 1 - index)];
}

std::vector<double> random_over_evaluations(const SpaceStatistics& space,
                                            std::span<const int64_t> evaluations) {
  std::vector<double> draws, x, y;
  for (size_t k = 0; k < evaluations.size(); ++k) {
    draws.push_back(expected_best_of_random(space, evaluations[k]));
    if (k > 0 && evaluations[k] == evaluations[k - 1]) continue;
    x.push_back(static_cast<double>(evaluations[k]));
    y.push_back(draws.back());
  }
  if (draws.size() <= 2 || x.size() < 2) return draws;
  return monotone_cubic(x, y, evenly_spaced(x.front(), x.back(), draws.size()));
}

std::vector<double> random_over_time(const SpaceStatistics& space,
                                     std::span<const double> elapsed_seconds) {
  std::vector<int64_t> evaluations;
  for (const double elapsed : elapsed_seconds) {
    const double count = std::max(elapsed / space.mean_cost_seconds, 1.0);
    evaluations.push_back(static_cast<int64_t>(std::nearbyint(count)));
  }
  return random_over_evaluations(space, evaluations);
}

}  // namespace dovetail
