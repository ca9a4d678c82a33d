// SPDX-License-Identifier: Apache-2.0
#include "search/compare/compare_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/fail.h"
#include "core/base/parallel.h"
#include "core/base/statistics.h"
#include "search/compare/statistics/rank_tests.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {
namespace {

constexpr double kTie = 1.01;  // ratio of two times up to which they tie
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::vector<StrategyRun> evaluations_of(std::span<const RunToCompare> runs) {
  std::vector<StrategyRun> evaluations;
  for (const RunToCompare& run : runs) evaluations.push_back(run.evaluations);
  return evaluations;
}

double elapsed_seconds(const StrategyRun& run) {
  double sum = 0;
  for (const Evaluation& evaluation : run) sum += evaluation.cost_seconds;
  return sum;
}

double final_best(const StrategyRun& run) {
  const std::vector<TimedTrial> curve = best_so_far(run);
  return curve.empty() ? kUnknown : curve.back().seconds;
}

// A run that found nothing counts as slower than all.
double median_best(const StrategyOnSpace& of) {
  std::vector<double> best = of.best_seconds;
  for (double& seconds : best)
    if (std::isnan(seconds)) seconds = std::numeric_limits<double>::infinity();
  return median(best);
}

// The runs of one arm on one space.
struct Cell {
  StrategyOnSpace row;
  ScoredRuns scored;
  double run_seconds = 0;  // median over runs of a run's total
};

class Comparer {
 public:
  explicit Comparer(const ComparisonInput& input) : input_(input), result_(input.about) {}

  Result<Comparison> compare() {
    if (input_.spaces.empty() || input_.arms.empty())
      return fail("nothing to compare: expected a space and a strategy at least");
    TRY(make_cells());
    for (size_t s = 0; s < input_.spaces.size(); ++s) {
      ComparedSpace space = input_.spaces[s].about;
      space.first_seconds = cell(0, s).scored.first_seconds;
      space.last_seconds = cell(0, s).scored.last_seconds;
      space.scored_trials = cell(0, s).scored.scored_trials;
      result_.spaces.push_back(std::move(space));
    }
    result_.strategies.resize(input_.arms.size());
    for_each_in_parallel(input_.arms.size(),
                         [&](size_t a) { result_.strategies[a] = strategy(a); });
    for (size_t a = 0; a < input_.arms.size(); ++a)
      for (size_t b = a + 1; b < input_.arms.size(); ++b) result_.pairs.push_back(pair(a, b));
    correct_pairs();
    rank();
    return std::move(result_);
  }

 private:
  Cell& cell(size_t arm, size_t space) { return cells_[arm * input_.spaces.size() + space]; }

  template <typename ValueOf>
  std::vector<double> over_spaces(const ValueOf& value_of) const {
    std::vector<double> values;
    for (size_t s = 0; s < input_.spaces.size(); ++s) values.push_back(value_of(s));
    return values;
  }

  // Scores take most of the time, so they are computed on all cores.
  Result<void> make_cells() {
    cells_.resize(input_.arms.size() * input_.spaces.size());
    return try_each_in_parallel(cells_.size(), [&](size_t k) -> Result<void> {
      const size_t arm = k / input_.spaces.size(), space = k % input_.spaces.size();
      Result<Cell> made = make_cell(arm, space);
      if (!made) {
        return fail("{} on {}: {}", input_.arms[arm].name, input_.spaces[space].about.name,
                    made.error().message);
      }
      cells_[k] = std::move(*made);
      return {};
    });
  }

  ScoredRunsOptions scoring(size_t space) const {
    ScoredRunsOptions options;
    options.score.budget = {.cutoff_start = result_.cutoff_start,
                            .cutoff_end = result_.cutoff_end,
                            .max_evaluations = input_.spaces[space].about.trials};
    options.score.resolution = static_cast<size_t>(result_.resolution);
    options.bootstrap = {.resamples = static_cast<int>(result_.resamples),
                         .confidence = result_.confidence,
                         .seed = space};
    return options;
  }

  Result<Cell> make_cell(size_t arm, size_t space) const {
    const SpaceToCompare& where = input_.spaces[space];
    const std::vector<RunToCompare>& runs = input_.arms[arm].runs[space];
    const std::vector<StrategyRun> evaluations = evaluations_of(runs);
    Cell made;
    made.scored = where.statistics ? TRY(score_runs(*where.statistics, evaluations, scoring(space)))
                                   : share_of_best(evaluations, where.about.optimum_seconds,
                                                   where.about.trials, scoring(space));
    StrategyOnSpace& row = made.row;
    row.space = where.about.name;
    row.score = made.scored.score;
    row.score_low = made.scored.interval.low;
    row.score_high = made.scored.interval.high;
    row.run_scores = made.scored.run_scores;
    std::vector<double> elapsed;
    for (const RunToCompare& run : runs) {
      row.best_seconds.push_back(final_best(run.evaluations));
      row.trials.push_back(std::ssize(run.evaluations));
      row.rejected.push_back(run.rejected);
      row.search_seconds.push_back(run.search_seconds);
      row.model_seconds.push_back(run.model_seconds);
      elapsed.push_back(elapsed_seconds(run.evaluations));
    }
    made.run_seconds = median(elapsed);
    const SeriesOptions series{.confidence = result_.confidence, .seed = space};
    row.over_trials = best_over_trials(evaluations, where.about.trials, series);
    row.over_seconds = best_over_seconds(evaluations, made.run_seconds, series);
    row.score_curve = mean_curve(std::vector{&made.scored}, result_.confidence);
    for (const double share : kQualityShares)
      row.quality.push_back(summarize_quality(evaluations, where.about.optimum_seconds, share));
    return made;
  }

  ComparedStrategy strategy(size_t arm) {
    const ArmToCompare& from = input_.arms[arm];
    ComparedStrategy to{.name = from.name,
                        .strategy = from.strategy,
                        .cost_model = from.cost_model,
                        .variant = from.variant};
    std::vector<const ScoredRuns*> scored;
    for (size_t s = 0; s < input_.spaces.size(); ++s) {
      scored.push_back(&cell(arm, s).scored);
      to.spaces.push_back(cell(arm, s).row);
    }
    to.score_curve = mean_curve(scored, result_.confidence);
    add_score(arm, to);
    add_quality(arm, to);
    to.geomean_best = geometric_mean(over_spaces([&](size_t s) {
      return input_.spaces[s].about.optimum_seconds / median_best(cell(arm, s).row);
    }));
    for (size_t other = 0; other < input_.arms.size(); ++other)
      if (other != arm) count_wins(arm, other, to.wins, to.ties, to.losses);
    return to;
  }

  // The mean score over spaces, and its interval by resampling the runs within each space.
  void add_score(size_t arm, ComparedStrategy& to) {
    to.score = mean(over_spaces([&](size_t s) { return cell(arm, s).scored.score; }));
    const Series& curve = to.score_curve;
    double squares = 0;
    const double middle = mean(curve.middle);
    for (const double value : curve.middle) squares += (value - middle) * (value - middle);
    to.score_deviation = std::sqrt(squares / static_cast<double>(curve.middle.size()));
    const Interval interval = interval_of(arm);
    to.score_low = interval.low;
    to.score_high = interval.high;
  }

  Interval interval_of(size_t arm) {
    const BootstrapOptions options{.resamples = static_cast<int>(result_.resamples),
                                   .confidence = result_.confidence};
    std::vector<SpaceRuns> together;
    for (size_t s = 0; s < input_.spaces.size() && input_.spaces[s].statistics; ++s) {
      together.push_back({.space = *input_.spaces[s].statistics,
                          .runs = evaluations_of(input_.arms[arm].runs[s]),
                          .max_evaluations = input_.spaces[s].about.trials});
    }
    if (together.size() < input_.spaces.size()) return interval_of_run_scores(arm, options);
    const Result<Interval> interval = score_interval(together, scoring(0).score, options);
    CHECK(interval.has_value(), "spaces that have scores have no interval");
    return *interval;
  }

  Interval interval_of_run_scores(size_t arm, const BootstrapOptions& options) {
    std::vector<size_t> strata;
    std::vector<double> values;
    for (size_t s = 0; s < input_.spaces.size(); ++s) {
      const std::vector<double>& own = cell(arm, s).row.run_scores;
      strata.push_back(own.size());
      values.insert(values.end(), own.begin(), own.end());
    }
    const auto statistic = [&](std::span<const double> counts) {
      double sum = 0;
      size_t first = 0;
      for (const size_t size : strata) {
        const auto own = counts.subspan(first, size);
        const auto from = values.begin() + static_cast<ptrdiff_t>(first);
        sum += std::inner_product(own.begin(), own.end(), from, 0.0) /
               std::reduce(own.begin(), own.end());
        first += size;
      }
      return sum / static_cast<double>(strata.size());
    };
    return bootstrap_interval(strata, statistic, options);
  }

  void add_quality(size_t arm, ComparedStrategy& to) {
    for (size_t level = 0; level < std::size(kQualityShares); ++level) {
      QualityReached all{.share = kQualityShares[level]};
      bool unknown_trials = false, unknown_seconds = false;
      const auto of_space = [&](size_t s) -> const QualityReached& {
        return cell(arm, s).row.quality[level];
      };
      for (size_t s = 0; s < input_.spaces.size(); ++s) {
        all.runs += of_space(s).runs;
        all.reached += of_space(s).reached;
        unknown_trials |= !of_space(s).trials;
        unknown_seconds |= !of_space(s).seconds;
      }
      all.trials = geometric_mean(over_spaces([&](size_t s) {
        return of_space(s).trials.value_or(static_cast<double>(input_.spaces[s].about.trials));
      }));
      all.seconds = geometric_mean(over_spaces(
          [&](size_t s) { return of_space(s).seconds.value_or(cell(arm, s).run_seconds); }));
      if (all.share == 0.95) {
        to.trials_to_95 = *all.trials;
        to.seconds_to_95 = *all.seconds;
        to.trials_to_95_is_lower_bound = unknown_trials;
        to.seconds_to_95_is_lower_bound = unknown_seconds;
      }
      to.quality.push_back(all);
    }
  }

  void count_wins(size_t a, size_t b, int64_t& wins, int64_t& ties, int64_t& losses) {
    for (size_t s = 0; s < input_.spaces.size(); ++s) {
      const double own = median_best(cell(a, s).row), other = median_best(cell(b, s).row);
      const bool wins_here = own * kTie < other, loses_here = other * kTie < own;
      ++(wins_here ? wins : loses_here ? losses : ties);
    }
  }

  PairTest pair(size_t a, size_t b) {
    PairTest test{.a = input_.arms[a].name, .b = input_.arms[b].name};
    std::vector<double> all;
    for (size_t s = 0; s < input_.spaces.size(); ++s) {
      const auto& of_a = cell(a, s).row.run_scores;
      const auto& of_b = cell(b, s).row.run_scores;
      std::vector<double> own;
      for (size_t k = 0; k < std::min(of_a.size(), of_b.size()); ++k)
        own.push_back(of_a[k] - of_b[k]);
      test.p_of_spaces.push_back(wilcoxon_signed_rank(own).p);
      all.insert(all.end(), own.begin(), own.end());
    }
    test.p_of_spaces = holm(test.p_of_spaces);
    const WilcoxonTest whole = wilcoxon_signed_rank(all);
    test.n = static_cast<int64_t>(whole.n);
    test.p = whole.p;
    test.exact = whole.exact;
    test.mean_difference = mean(all);
    count_wins(a, b, test.wins, test.ties, test.losses);
    return test;
  }

  void correct_pairs() {
    std::vector<double> p;
    for (const PairTest& test : result_.pairs) p.push_back(test.p);
    p = holm(p);
    for (size_t k = 0; k < p.size(); ++k) result_.pairs[k].p_holm = p[k];
  }

  void rank() {
    std::vector<std::vector<double>> scores;
    for (size_t s = 0; s < input_.spaces.size(); ++s) {
      std::vector<double> row;
      for (size_t a = 0; a < input_.arms.size(); ++a) row.push_back(cell(a, s).scored.score);
      scores.push_back(std::move(row));
    }
    // Too few spaces or strategies, or too many of these, have no ranks.
    if (Result<FriedmanTest> test = friedman(scores)) result_.ranks = std::move(*test);
  }

  const ComparisonInput& input_;
  Comparison result_;
  std::vector<Cell> cells_;
};

}  // namespace

Result<Comparison> compare_runs(const ComparisonInput& input) { return Comparer(input).compare(); }

}  // namespace dovetail
