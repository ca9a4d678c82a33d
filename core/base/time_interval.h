// SPDX-License-Identifier: Apache-2.0
#pragma once

// interval_of: how sure the time beside it is.
//
//   interval_of(result.samples)      {0.000852, 0.000858}: the 95 % interval of the median

#include <array>
#include <optional>
#include <span>

#include "core/base/statistics.h"

namespace dovetail {

using TimeInterval = std::array<double, 2>;  // seconds, lower and upper end

// None of a single sample, which says nothing of others.
inline std::optional<TimeInterval> interval_of(std::span<const double> samples) {
  if (samples.size() < 2) return std::nullopt;
  const auto [low, high] = median_interval(samples);
  return TimeInterval{low, high};
}

}  // namespace dovetail
