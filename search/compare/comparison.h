// SPDX-License-Identifier: Apache-2.0
#pragma once

// Comparison: results of `compare` as data: enough for every table and figure, and for a reader who
// wants to check them.
//
//   const Comparison comparison = TRY(parse_comparison(TRY(read_file("out/comparison.json"))));
//   comparison.strategies[0].score            0.71, in [score_low, score_high]
//   comparison.strategies[0].spaces[2].over_trials.middle     best so far, median over runs
//
// On disk it is one JSON object with these field names; missing values are null. It covers replayed
// spaces (simulated) or campaigns on a device (live), which have different scores, named by
// `score_is`:
//
//   way_to_optimum   simulated: 0 calculated random search, 1 the optimum (score.h)
//   share_of_best    live, where no optimum is known: the best time of all runs over the best so
//                    far, mean over the trials; times of one sitting at the end (`again`)
//
// A series' lists have one length; NaN (null): nothing is found yet.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "search/compare/statistics/rank_tests.h"

namespace dovetail {

// A line with its band of confidence.
struct Series {
  std::vector<double> at = {};      // trials, seconds of the clock, or shares of the budget
  std::vector<double> middle = {};  // median over runs of a best time, or mean score
  std::vector<double> low = {}, high = {};
};

// Trials and seconds until a run is within a share of the optimum.
struct QualityReached {
  double share = 0;  // 0.95: at most optimum / 0.95
  int64_t runs = 0;
  int64_t reached = 0;                 // other runs were censored: they ended before
  std::optional<double> trials = {};   // median over runs; none: half of them or more were censored
  std::optional<double> seconds = {};  // simulated clock, or the campaign's
};

// A space of the comparison.
struct ComparedSpace {
  std::string name = {};
  std::string spec = {};
  std::string target = {};
  std::string source = {};  // the file, or the folder of the logs
  std::string tool = {};    // program that measured it
  int64_t points = 0;       // measured points; 0: not all of the space was measured
  int64_t valid = 0;
  double optimum_seconds = 0;  // measured, or the best time ever logged
  std::optional<double> median_seconds = {};
  int64_t trials = 0;  // the budget of a run
  // First and last point of the score's curve.
  double first_seconds = 0, last_seconds = 0;
  // `last_seconds` in trials of random search, where the score ends if the budget is larger. None
  // where the budget is in trials, and in files of older versions.
  std::optional<int64_t> scored_trials = {};
};

// One strategy's results on one space.
struct StrategyOnSpace {
  std::string space = {};  // its name
  std::optional<double> score = {}, score_low = {}, score_high = {};
  // One entry per run, in the order of the seeds.
  std::vector<double> run_scores = {};
  std::vector<double> best_seconds = {};  // NaN: nothing valid
  std::vector<int64_t> trials = {};
  std::vector<int64_t> rejected = {};
  std::vector<double> search_seconds = {},
                      model_seconds = {};      // time in the strategy and in the model
  Series over_trials = {}, over_seconds = {};  // best seconds so far
  Series score_curve = {};                     // over the share of the budget
  std::vector<QualityReached> quality = {};
};

struct ComparedStrategy {
  std::string name = {};  // unique, as in the request
  std::string strategy = {}, cost_model = {}, variant = {};
  std::optional<double> score = {}, score_low = {}, score_high = {};
  std::optional<double> score_deviation = {};  // over the budget
  // Geometric means over the spaces of medians over runs. An unknown median is replaced by the
  // budget, and the mean is then a lower bound.
  double trials_to_95 = 0;
  bool trials_to_95_is_lower_bound = false;
  double seconds_to_95 = 0;
  bool seconds_to_95_is_lower_bound = false;
  // Geometric mean over the spaces of optimum / median of the runs' bests: 1 is the optimum.
  double geomean_best = 0;
  int64_t wins = 0, ties = 0, losses = 0;    // against each other strategy on each space
  std::vector<QualityReached> quality = {};  // all spaces: geometric means of medians
  Series score_curve = {};                   // mean over spaces
  std::vector<StrategyOnSpace> spaces = {};  // in the order of Comparison::spaces
};

// Wilcoxon's signed-rank test of the scores of runs, paired by space and seed.
struct PairTest {
  std::string a = {}, b = {};
  int64_t n = 0;               // pairs that differ
  double mean_difference = 0;  // a's scores minus b's
  double p = 1, p_holm = 1;    // corrected for all pairs of strategies
  bool exact = false;
  int64_t wins = 0, ties = 0, losses = 0;  // for a, by space: median best, ties within 1 %
  std::vector<double> p_of_spaces = {};    // by space, over its seeds; Holm over all spaces
};

struct Comparison {
  int64_t version = 1;
  std::string kind = {};  // simulated, live
  std::string score_is = {};
  std::string tool = {};
  std::string target = {};
  std::vector<uint64_t> seeds = {};
  std::optional<double> budget_share = {};  // share of a space's points; none: given in trials
  bool default_first = true;                // trial 1 of every run is the default trace
  double cutoff_start = 0, cutoff_end = 0;
  int64_t resolution = 0;  // points of the score's curve
  int64_t resamples = 0;   // draws of the bootstrap
  double confidence = 0;
  int64_t again = 0;            // live: repeated measurements of a best trace; 0: simulated
  std::string warm_start = {};  // model file that cost models started from; empty: none
  std::vector<ComparedSpace> spaces = {};
  std::vector<ComparedStrategy> strategies = {};  // in the order asked for
  std::vector<PairTest> pairs = {};
  FriedmanTest ranks;  // without average ranks where there are fewer than two spaces or strategies
};

std::string print_json(const Comparison& comparison);
// An error names the field.
Result<Comparison> parse_comparison(std::string_view text);

}  // namespace dovetail
