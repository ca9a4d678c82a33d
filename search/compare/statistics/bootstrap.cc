// SPDX-License-Identifier: Apache-2.0
#include "search/compare/statistics/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "core/base/check.h"
#include "search/compare/statistics/distributions.h"

namespace dovetail {
namespace {

std::vector<double> drawn_counts(std::span<const size_t> strata, std::mt19937_64& rng) {
  std::vector<double> counts(std::reduce(strata.begin(), strata.end(), size_t{0}), 0);
  size_t first = 0;
  for (const size_t size : strata) {
    // Modulo, not a distribution: the same draws with every standard library.
    for (size_t k = 0; k < size; ++k) counts[first + rng() % size] += 1;
    first += size;
  }
  return counts;
}

// Jackknife: from the statistic without each of the elements in turn.
double acceleration(std::span<const size_t> strata, const CountedStatistic& statistic) {
  std::vector<double> counts(std::reduce(strata.begin(), strata.end(), size_t{0}), 1);
  std::vector<double> without;
  size_t first = 0;
  for (const size_t size : strata) {
    for (size_t k = 0; k < size && size > 1; ++k) {  // a stratum cannot be empty
      counts[first + k] = 0;
      without.push_back(statistic(counts));
      counts[first + k] = 1;
    }
    first += size;
  }
  if (without.empty()) return 0;
  const double mean =
      std::reduce(without.begin(), without.end()) / static_cast<double>(without.size());
  double squares = 0, cubes = 0;
  for (const double value : without) {
    const double d = mean - value;
    squares += d * d;
    cubes += d * d * d;
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

// The shares of the draws below each end of the interval.
std::array<double, 2> bca_shares(std::span<const double> sorted, double observed, double a,
                                 double tail) {
  const auto below = std::ranges::lower_bound(sorted, observed) - sorted.begin();
  const auto not_above = std::ranges::upper_bound(sorted, observed) - sorted.begin();
  const double share =
      static_cast<double>(below + not_above) / (2 * static_cast<double>(sorted.size()));
  const double bias = normal_quantile(share);
  const auto moved = [&](double probability) {
    const double z = bias + normal_quantile(probability);
    return normal_cdf(bias + z / (1 - a * z));
  };
  return {moved(tail), moved(1 - tail)};
}

}  // namespace

double quantile_of_sorted(std::span<const double> sorted, double share) {
  CHECK(!sorted.empty(), "quantile of no values");
  const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Interval bootstrap_interval(std::span<const size_t> strata, const CountedStatistic& statistic,
                            const BootstrapOptions& options) {
  CHECK(options.resamples > 0, "a bootstrap of no resamples");
  std::mt19937_64 rng(options.seed);
  std::vector<double> draws;
  for (int k = 0; k < options.resamples; ++k) draws.push_back(statistic(drawn_counts(strata, rng)));
  std::ranges::sort(draws);
  const double tail = (1 - options.confidence) / 2;
  std::array<double, 2> shares = {tail, 1 - tail};
  if (options.method == BootstrapMethod::bca && draws.front() < draws.back()) {
    const std::vector<double> once(std::reduce(strata.begin(), strata.end(), size_t{0}), 1);
    const auto moved = bca_shares(draws, statistic(once), acceleration(strata, statistic), tail);
    if (std::isfinite(moved[0]) && std::isfinite(moved[1])) shares = moved;
  }
  return {quantile_of_sorted(draws, shares[0]), quantile_of_sorted(draws, shares[1])};
}

std::vector<std::vector<double>> draw_counts(size_t size, int draws, uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<std::vector<double>> counts;
  for (int k = 0; k < draws; ++k) counts.push_back(drawn_counts({&size, 1}, rng));
  return counts;
}

Interval bootstrap_mean(std::span<const double> sample, const BootstrapOptions& options) {
  const std::array<size_t, 1> strata = {sample.size()};
  const auto mean = [&](std::span<const double> counts) {
    const double total = std::reduce(counts.begin(), counts.end());
    return std::inner_product(sample.begin(), sample.end(), counts.begin(), 0.0) / total;
  };
  return bootstrap_interval(strata, mean, options);
}

}  // namespace dovetail
