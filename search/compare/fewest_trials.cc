// SPDX-License-Identifier: Apache-2.0
#include "search/compare/fewest_trials.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "core/base/fail.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {
namespace {

constexpr int kRuns = 100;
// Strategies are not random search, so that a run in twenty without a score refuses nothing.
constexpr int kEnough = 95;

class RandomRuns {
 public:
  explicit RandomRuns(const TrialsToCheck& check) : check_(check), order_(check.points.size()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
  }

  // Says if enough of kRuns have a score.
  Result<bool> enough(const SpaceStatistics& space, int64_t trials) {
    const Budget budget = TRY(comparison_budget(space, {.cutoff_start = check_.cutoff_start,
                                                        .cutoff_end = check_.cutoff_end,
                                                        .max_evaluations = trials}));
    const std::array ends{budget.first_seconds, budget.last_seconds};
    std::mt19937_64 rng(0);  // the same answer every time
    int scored = 0;
    for (int k = 0; k < kRuns; ++k) {
      const StrategyRun run = draw(trials, rng);
      if (runs_out_of_time(TRY(pool_runs(space, {&run, 1})), ends) == 0) ++scored;
    }
    return scored >= kEnough;
  }

 private:
  StrategyRun draw(int64_t trials, std::mt19937_64& rng) {
    StrategyRun run;
    if (check_.first) run.push_back(*check_.first);
    for (size_t k = 0; k < order_.size() && std::ssize(run) < trials; ++k) {
      std::swap(order_[k], order_[k + rng() % (order_.size() - k)]);
      run.push_back(check_.points[order_[k]]);
    }
    return run;
  }

  const TrialsToCheck& check_;
  std::vector<size_t> order_;
};

}  // namespace

Result<int64_t> fewest_trials(const TrialsToCheck& check) {
  const SpaceStatistics space = TRY(space_statistics(check.points));
  RandomRuns runs(check);
  if (TRY(runs.enough(space, check.trials))) return check.trials;
  const auto points = std::ssize(check.points);
  for (int64_t below = check.trials, trials = below; trials < points; below = trials) {
    trials = std::min(points, trials + 1 + trials / 4);
    const Result<bool> are_enough = runs.enough(space, trials);
    if (!are_enough || !*are_enough) continue;
    for (int64_t fewer = below + 1; fewer < trials; ++fewer)
      if (runs.enough(space, fewer).value_or(false)) return fewer;
    return trials;
  }
  return fail("no number of trials is enough for a score on a space of {} points", points);
}

}  // namespace dovetail
