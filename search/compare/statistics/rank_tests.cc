// SPDX-License-Identifier: Apache-2.0
#include "search/compare/statistics/rank_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/fail.h"
#include "search/compare/statistics/distributions.h"

namespace dovetail {
namespace {

// The studentized range's 95 % point for k = 2 … 20 groups and infinite degrees of freedom, divided
// by sqrt(2), as scipy.stats.studentized_range has it (Demšar's table 5a has k up to 10).
constexpr std::array kNemenyi05 = {1.959964, 2.343701, 2.569032, 2.727774, 2.849705,
                                   2.948320, 3.030878, 3.101730, 3.163684, 3.218654,
                                   3.268004, 3.312739, 3.353618, 3.391230, 3.426041,
                                   3.458425, 3.488685, 3.517073, 3.543799};

// Σ (t³ - t) over the groups of t equal values.
double ties_in(const std::vector<double>& values) {
  std::map<double, double> groups;
  for (const double value : values) groups[value] += 1;
  double sum = 0;
  for (const auto& [_, t] : groups) sum += t * t * t - t;
  return sum;
}

Result<void> check_table(std::span<const std::vector<double>> scores) {
  const size_t methods = scores.empty() ? 0 : scores.front().size();
  if (scores.size() < 2 || methods < 2 || methods > kNemenyi05.size() + 1) {
    return fail(
        "{} problems and {} methods, expected 2 problems at least and 2 to {} "
        "methods",
        scores.size(), methods, kNemenyi05.size() + 1);
  }
  for (size_t k = 0; k < scores.size(); ++k) {
    if (scores[k].size() != methods) {
      return fail("problem {} has {} scores, expected {}: one for each method", k + 1,
                  scores[k].size(), methods);
    }
  }
  return {};
}

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
  double squares = 0;  // four times the variance of the positive ranks' sum, with ties, too
  for (const double rank : ranks) squares += rank * rank;
  const double z = (sum - n * (n + 1) / 4) / std::sqrt(squares / 4);
  return 2 * normal_cdf(-std::abs(z));
}

}  // namespace

Result<FriedmanTest> friedman(std::span<const std::vector<double>> scores) {
  TRY(check_table(scores));
  const auto n = static_cast<double>(scores.size()), k = static_cast<double>(scores[0].size());
  FriedmanTest test{.average_ranks = std::vector<double>(scores[0].size(), 0)};
  double ties = 0;
  for (const std::vector<double>& row : scores) {
    const std::vector<double> ranks = mean_ranks(row);
    for (size_t m = 0; m < row.size(); ++m) test.average_ranks[m] += (k + 1 - ranks[m]) / n;
    ties += ties_in(row);
  }
  double squares = 0;
  for (const double rank : test.average_ranks) squares += rank * rank;
  const double untied = 12 * n / (k * (k + 1)) * (squares - k * (k + 1) * (k + 1) / 4);
  const double correction = 1 - ties / (n * k * (k * k - 1));
  test.statistic = correction > 0 ? std::max(0.0, untied / correction) : 0;  // 0: all are equal
  test.p = chi_squared_tail(test.statistic, static_cast<int>(scores[0].size()) - 1);
  test.critical_difference = kNemenyi05[scores[0].size() - 2] * std::sqrt(k * (k + 1) / (6 * n));
  test.groups = tied_groups(test.average_ranks, test.critical_difference);
  return test;
}

std::vector<TiedGroup> tied_groups(std::vector<double> average_ranks, double critical_difference) {
  std::ranges::sort(average_ranks);
  std::vector<TiedGroup> groups;
  size_t covered = 0;  // methods before it are in a group with all that they are tied with
  for (size_t first = 0; first < average_ranks.size(); ++first) {
    size_t last = first;
    while (last + 1 < average_ranks.size() &&
           average_ranks[last + 1] - average_ranks[first] <= critical_difference)
      ++last;
    if (last > first && last + 1 > covered) {
      groups.push_back({static_cast<int64_t>(first), static_cast<int64_t>(last)});
      covered = last + 1;
    }
  }
  return groups;
}

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
