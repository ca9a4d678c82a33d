// SPDX-License-Identifier: Apache-2.0
#include "search/compare/statistics/wilcoxon.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/compare/statistics/distributions.h"

namespace dovetail {
namespace {

constexpr size_t kMostExact = 50;

std::vector<size_t> ascending(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t k) { return values[k]; });
  return order;
}

// Share of the sign patterns whose positive ranks sum up to at most `sum`. Ranks are multiples of
// 1/2, so twice a sum is a whole number.
double share_at_most(const std::vector<double>& ranks, double sum) {
  const auto twice = [](double rank) { return static_cast<size_t>(std::lround(2 * rank)); };
  std::vector<double> patterns = {1};  // by twice the sum
  for (const double rank : ranks) {
    const size_t step = twice(rank);
    std::vector<double> with = patterns;
    with.resize(patterns.size() + step, 0);
    for (size_t k = 0; k < patterns.size(); ++k) with[k + step] += patterns[k];
    patterns = std::move(with);
  }
  const auto end = patterns.begin() + static_cast<ptrdiff_t>(twice(sum)) + 1;
  return std::reduce(patterns.begin(), end, 0.0) / std::exp2(static_cast<double>(ranks.size()));
}

double approximate_p(const std::vector<double>& ranks, double sum) {
  const auto n = static_cast<double>(ranks.size());
  double squares = 0;  // of the ranks: four times the variance of the sum, whatever is tied
  for (const double rank : ranks) squares += rank * rank;
  const double z = (sum - n * (n + 1) / 4) / std::sqrt(squares / 4);
  return 2 * normal_cdf(-std::abs(z));
}

}  // namespace

std::vector<double> mean_ranks(std::span<const double> values) {
  const std::vector<size_t> order = ascending(values);
  std::vector<double> ranks(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (size_t k = first; k < end; ++k) ranks[order[k]] = static_cast<double>(first + 1 + end) / 2;
    first = end;
  }
  return ranks;
}

WilcoxonTest wilcoxon_signed_rank(std::span<const double> differences) {
  std::vector<double> signs, sizes;
  for (const double difference : differences) {
    if (difference == 0) continue;
    signs.push_back(difference);
    sizes.push_back(std::abs(difference));
  }
  WilcoxonTest test{.n = sizes.size()};
  if (test.n == 0) return test;
  const std::vector<double> ranks = mean_ranks(sizes);
  for (size_t k = 0; k < ranks.size(); ++k)
    (signs[k] > 0 ? test.positive_ranks : test.negative_ranks) += ranks[k];
  const double smaller = std::min(test.positive_ranks, test.negative_ranks);
  test.exact = test.n <= kMostExact;
  test.p = test.exact ? 2 * share_at_most(ranks, smaller) : approximate_p(ranks, smaller);
  test.p = std::min(test.p, 1.0);
  return test;
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<double> corrected(p_values.size());
  double largest = 0;
  auto left = static_cast<double>(p_values.size());
  for (const size_t k : ascending(p_values)) {
    largest = std::max(largest, std::min(1.0, left * p_values[k]));
    corrected[k] = largest;
    left -= 1;
  }
  return corrected;
}

}  // namespace dovetail
