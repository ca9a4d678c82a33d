// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/tie_set.h"

#include "core/base/statistics.h"

namespace dovetail {
namespace {

constexpr double kLargestTie = 1.02;  // of the slower median over the faster

}  // namespace

bool are_tied(std::span<const double> fastest, std::span<const double> other) {
  if (fastest.empty() || other.empty()) return false;
  if (median(other) > kLargestTie * median(fastest)) return false;
  return median_interval(other).first <= median_interval(fastest).second;
}

}  // namespace dovetail
