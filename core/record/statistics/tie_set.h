// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tie set: the finalists that cannot be told apart from the fastest one.
//
//   trial   median      95 % interval of the median
//     7     0.861 ms    0.858 .. 0.866
//    42     0.863 ms    0.860 .. 0.869     overlaps: tied with trial 7
//    13     0.880 ms    0.876 .. 0.883     slower
//
// Which of 7 and 42 came out first is chance, and would be another one tomorrow. Among tied ones
// the one with the least workspace wins, then the earliest trial, so that the same search ends with
// the same trace on a quiet and on a noisy machine.

#include <span>

#include "core/base/statistics.h"

namespace dovetail {

// Two tie when their intervals overlap and their medians differ by 2 % at most: however noisy
// the samples are, a tie never costs more.
inline bool are_tied(std::span<const double> fastest, std::span<const double> other) {
  constexpr double kLargestTie = 1.02;  // of the slower median over the faster
  if (fastest.empty() || other.empty()) return false;
  if (median(other) > kLargestTie * median(fastest)) return false;
  return median_interval(other).first <= median_interval(fastest).second;
}

}  // namespace dovetail
