// SPDX-License-Identifier: Apache-2.0
#include "search/progress.h"

#include <algorithm>

namespace dovetail {

std::optional<double> estimate_remaining_seconds(int64_t measured_here, double seconds_here,
                                                 int64_t trials_left,
                                                 std::optional<double> seconds_left) {
  if (measured_here <= 0) return seconds_left;
  const double seconds =
      seconds_here / static_cast<double>(measured_here) * static_cast<double>(trials_left);
  return seconds_left ? std::min(seconds, std::max(*seconds_left, 0.0)) : seconds;
}

}  // namespace dovetail
