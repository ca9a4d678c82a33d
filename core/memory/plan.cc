// SPDX-License-Identifier: Apache-2.0
#include "core/memory/plan.h"

#include <algorithm>
#include <numeric>

#include "core/base/check.h"

namespace dovetail {

std::vector<int64_t> pool_peaks(const PlanningProblem& problem, const Plan& plan) {
  CHECK(plan.placements.size() == problem.buffers.size());
  std::vector<int64_t> peaks(problem.pools.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (!occupies(problem.buffers[i])) continue;
    int64_t& peak = peaks[static_cast<size_t>(plan.placements[i].pool)];
    peak = std::max(peak, plan.placements[i].offset + problem.buffers[i].bytes);
  }
  return peaks;
}

int64_t peak_bytes(const PlanningProblem& problem, const Plan& plan) {
  const std::vector<int64_t> peaks = pool_peaks(problem, plan);
  return std::accumulate(peaks.begin(), peaks.end(), int64_t{0});
}

}  // namespace dovetail
