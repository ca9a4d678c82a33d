// SPDX-License-Identifier: Apache-2.0
#include "core/record/tie_set.h"

#include <algorithm>
#include <cmath>

#include "core/record/best_record.h"

namespace dovetail {
namespace {

constexpr double kLargestTie = 1.02;  // of the slower median over the faster

std::vector<double> copy_of(std::span<const double> samples) {
  return {samples.begin(), samples.end()};
}

}  // namespace

std::pair<double, double> median_interval(std::vector<double> samples) {
  if (samples.empty()) return {0.0, 0.0};
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  const double half_width = 1.96 * std::sqrt(n) / 2;
  const double low = std::max(std::floor(n / 2 - half_width) - 1, 0.0);
  const double high = std::min(std::ceil(n / 2 + half_width), n - 1);
  return {samples[static_cast<size_t>(low)], samples[static_cast<size_t>(high)]};
}

bool are_tied(std::span<const double> fastest, std::span<const double> other) {
  if (fastest.empty() || other.empty()) return false;
  if (median(copy_of(other)) > kLargestTie * median(copy_of(fastest))) return false;
  return median_interval(copy_of(other)).first <= median_interval(copy_of(fastest)).second;
}

}  // namespace dovetail
