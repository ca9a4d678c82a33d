// SPDX-License-Identifier: Apache-2.0
#pragma once

// SpaceStatistics: summary of a completely measured space: the times of its kernels, sorted, and
// the cost of an evaluation. Budget: the part of a space's evaluations that a strategy gets.
//
//   points       1: 3 us, cost 10 ms   2: invalid, cost 4 ms   3: 1 us, cost 8 ms   4: 2 us, 9 ms
//   seconds      1 us, 2 us, 3 us      the optimum is 1 us, the median 2 us
//   cost         median of all 4: 8.5 ms;  mean: 9 ms a valid one + 1/4 of 4 ms = 10 ms
//
// Definitions are those of the published methodology (F.-J. Willemsen et al., "A methodology for
// comparing optimization algorithms for auto-tuning", Future Generation Computer Systems 159, 2024)
// as its Python package autotuning_methodology 1.1.0 computes them; tests agree with it to 1e-6. An
// evaluation costs its build, its check and its runs: the time that keeps a device busy.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct Evaluation {
  std::optional<double> seconds = {};  // kernel time; none: it failed
  double cost_seconds = 0;             // building, checking, running
};

struct SpaceStatistics {
  std::vector<double> seconds;  // valid points' times, ascending; never empty
  double median_seconds = 0;
  double mean_cost_seconds = 0;    // per valid evaluation, invalid ones on the way charged to it
  double median_cost_seconds = 0;  // over all points
  double optimum() const { return seconds.front(); }
};

Result<SpaceStatistics> space_statistics(std::span<const Evaluation> points);

// Where a comparison begins and ends, in evaluations and in seconds.
struct Budget {
  int64_t first_evaluations = 0;
  int64_t last_evaluations = 0;
  double first_seconds = 0;
  double last_seconds = 0;
  friend bool operator==(const Budget&, const Budget&) = default;
};

// Evaluations after which random search is expected to have come the share `cutoff` of the way
// from the median to the optimum: with i the position of that time among all N, slowest first
// (one less if it is the optimum), they are ceil(i / (N + 1 - i)).
Result<int64_t> cutoff_evaluations(const SpaceStatistics& space, double cutoff);

struct BudgetOptions {
  double cutoff_start = 0.01;
  double cutoff_end = 0.95;
  // Random search is at the cutoff at once where many times are nearly the optimum; a budget of two
  // evaluations has no room for the results of a run, so it ends at this one at the earliest.
  int64_t min_evaluations = 10;
  int64_t max_evaluations = 0;  // upper limit; 0: none but the cutoff's
};
Result<Budget> comparison_budget(const SpaceStatistics& space, const BudgetOptions& options = {});

// Calculated random search: the best time that random search without replacement is expected to
// have found, computed from all times of the space instead of simulated.
//
//   With N times, slowest first, the best of M draws is expected at position M (N + 1) / (M + 1):
//   N = 9, times 9 8 7 6 5 4 3 2 1 us:    M = 1: position 5, 4 us;   M = 4: position 8, 1 us
//
// (positions from 0, rounded to even and at most N - 1, as in Willemsen et al.) Invalid points
// count in the cost of an evaluation, not in the positions. Over time, each evaluation costs the
// mean; both curves are monotone cubics through their steps.
//
// It is calculated because the baseline of a score must not have an error of its own.
double expected_best_of_random(const SpaceStatistics& space, int64_t evaluations);

// Both ascend. Returns kernel seconds of the best found, one for each.
std::vector<double> random_over_evaluations(const SpaceStatistics& space,
                                            std::span<const int64_t> evaluations);
std::vector<double> random_over_time(const SpaceStatistics& space,
                                     std::span<const double> elapsed_seconds);

}  // namespace dovetail
