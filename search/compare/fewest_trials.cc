// SPDX-License-Identifier: Apache-2.0
#include "search/compare/fewest_trials.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "core/base/fail.h"
#include "search/compare/score.h"

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

  // Runs that have a score, among kRuns.
  int scored(const SpaceStatistics& space, int64_t trials) {
    const ScoreOptions options{.budget = {.cutoff_start = check_.cutoff_start,
                                          .cutoff_end = check_.cutoff_end,
                                          .max_evaluations = trials},
                               .resolution = 2};
    std::mt19937_64 rng(0);  // the same answer every time
    int scored = 0;
    for (int k = 0; k < kRuns; ++k) {
      const StrategyRun run = draw(trials, rng);
      if (score_on_space(space, {&run, 1}, options)) ++scored;
    }
    return scored;
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
  TRY(comparison_budget(space, {.cutoff_start = check.cutoff_start,
                                .cutoff_end = check.cutoff_end,
                                .max_evaluations = check.trials}));
  RandomRuns runs(check);
  if (runs.scored(space, check.trials) >= kEnough) return check.trials;
  const auto points = std::ssize(check.points);
  for (int64_t trials = check.trials; trials < points;) {
    trials = std::min(points, trials + 1 + trials / 4);
    if (runs.scored(space, trials) == kRuns) return trials;
  }
  return fail("no number of trials is enough for a score on a space of {} points", points);
}

}  // namespace dovetail
