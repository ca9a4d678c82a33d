// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calculated random search: the best time that random search without replacement is expected to
// have found, computed from all times of the space instead of simulated.
//
//   Of N times, slowest first, the best of M draws is expected at position M (N + 1) / (M + 1):
//   N = 9, times 9 8 7 6 5 4 3 2 1 us:    M = 1: position 5, 4 us;   M = 4: position 8, 1 us
//
// (positions from 0, rounded to even and at most N - 1, as in Willemsen et al., see
// space_statistics.h.) Invalid points count in the cost of an evaluation, not in the positions.
// Over time, an evaluation costs the mean; both curves go through their steps by monotone cubic
// pieces.
//
// Why calculated: the baseline of a score must not have an error of its own.

#include <cstdint>
#include <span>
#include <vector>

#include "search/compare/statistics/space_statistics.h"

namespace dovetail {

double expected_best_of_random(const SpaceStatistics& space, int64_t evaluations);

// Both ascend. Seconds: of the kernel of the best found, one for each.
std::vector<double> random_over_evaluations(const SpaceStatistics& space,
                                            std::span<const int64_t> evaluations);
std::vector<double> random_over_time(const SpaceStatistics& space,
                                     std::span<const double> elapsed_seconds);

}  // namespace dovetail
