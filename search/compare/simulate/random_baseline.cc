// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/random_baseline.h"

#include <algorithm>
#include <cmath>

#include "search/compare/statistics/interpolation.h"

namespace dovetail {

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
