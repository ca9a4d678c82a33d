// SPDX-License-Identifier: Apache-2.0
#pragma once

// Says whether runs of so many trials can be scored on a space. It is found out before any strategy
// runs, by drawing runs of random search from the measured points, whose costs are known.
//
//   384 points, 3 trials, the default trace first, which cost ten times as much as others:
//   all results come after the budget's end, and no run has a score
//   fewest_trials({.trials = 3, …})      19
//
// A score needs two results of each run within the budget's seconds (strategy_curve.h).

#include <cstdint>
#include <optional>
#include <span>

#include "search/compare/statistics/space_statistics.h"

namespace dovetail {

struct TrialsToCheck {
  std::span<const Evaluation> points;    // the whole space
  std::optional<Evaluation> first = {};  // trial 1 of each run; none: drawn as the others are
  int64_t trials = 0;
  double cutoff_start = 0, cutoff_end = 0;  // as in BudgetOptions
};

// `trials` if that is enough; else the fewest that are. Fails if no number is.
Result<int64_t> fewest_trials(const TrialsToCheck& check);

}  // namespace dovetail
