// SPDX-License-Identifier: Apache-2.0
#include "core/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace dovetail {
namespace {

constexpr double kNormal95 = 1.96;

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> in_order(values.begin(), values.end());
  std::ranges::sort(in_order);
  return in_order;
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

double geometric_mean(std::span<const double> values) {
  double logs = 0;
  for (const double value : values) logs += std::log(value);
  return std::exp(logs / static_cast<double>(values.size()));
}

double median(std::span<const double> values) {
  if (values.empty()) return 0;
  const std::vector<double> in_order = sorted(values);
  const size_t middle = in_order.size() / 2;
  if (in_order.size() % 2 == 1) return in_order[middle];
  return (in_order[middle - 1] + in_order[middle]) / 2;
}

std::pair<double, double> median_interval(std::span<const double> values) {
  if (values.empty()) return {0.0, 0.0};
  const std::vector<double> in_order = sorted(values);
  const auto count = static_cast<double>(in_order.size());
  const double below = std::floor((count - kNormal95 * std::sqrt(count)) / 2);
  const auto low = static_cast<size_t>(std::max(below, 0.0));
  return {in_order[low], in_order[in_order.size() - 1 - low]};
}

}  // namespace dovetail
