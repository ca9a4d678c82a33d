// SPDX-License-Identifier: Apache-2.0
#pragma once

// Friedman's test: whether methods differ over several problems, by their ranks on each; and
// Nemenyi's critical difference: how far apart two average ranks must be.
//
//               A    B    C        ranks (the largest score is 1)
//   problem 1  0.9  0.5  0.1       1    2    3
//   problem 2  0.8  0.9  0.2       2    1    3
//   problem 3  0.7  0.6  0.3       1    2    3       averages 1.33 1.67 3, statistic 4.67, p 0.097
//
// The statistic is corrected for ties; p is chi-squared's with k - 1 degrees of freedom. The
// critical difference at 5 % is q sqrt(k (k + 1) / (6 N)) for k methods on N problems: methods
// whose average ranks are nearer cannot be told apart, and one line joins them in a diagram. J.
// Demšar, "Statistical comparisons of classifiers over multiple data sets", J. Mach. Learn. Res.
// 7, 2006.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

// Positions in the order of the average ranks, [first, last].
using TiedGroup = std::vector<int64_t>;

struct FriedmanTest {
  double statistic = 0, p = 1;
  double critical_difference = 0;          // Nemenyi, 5 %
  std::vector<double> average_ranks = {};  // one for each method; 1 is the best
  std::vector<TiedGroup> groups = {};      // methods that cannot be told apart
};

// scores[problem][method], larger is better: 2 problems and 2 methods at least, 20 methods at
// most.
Result<FriedmanTest> friedman(std::span<const std::vector<double>> scores);

// The maximal groups of methods within the critical difference of each other.
std::vector<TiedGroup> tied_groups(std::vector<double> average_ranks, double critical_difference);

// Wilcoxon's signed-rank test: whether paired differences lie to one side of zero.
//
//   differences  0.3 -0.1 0.2 0.4     ranks of their sizes  3 1 2 4
//   sum of the positive ranks 9, of the negative ones 1; of the 16 sign patterns 4 are as one-sided
//   (sums 0, 1, 9, 10): p = 0.25
//
// Zeros are left out (Wilcoxon's own rule), equal sizes share the mean of their ranks. Up to 50
// differences every sign pattern is counted, ties and all; beyond, the normal approximation with
// the correction for ties and none for continuity, as scipy.stats.wilcoxon has it. Two-sided. F.
// Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945.

struct WilcoxonTest {
  size_t n = 0;  // differences other than zero
  double positive_ranks = 0;
  double negative_ranks = 0;
  double p = 1;  // 1 when there are no differences
  bool exact = true;
};
WilcoxonTest wilcoxon_signed_rank(std::span<const double> differences);

// Holm's correction for several tests: the smallest p times their number, the next times one
// less, …, never falling and at most 1; in the order given.
//   0.01 0.04 0.03  ->  0.03 0.06 0.06
// S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6, 1979.
std::vector<double> holm(std::span<const double> p_values);

// Ranks from 1, the smallest first; equal values share the mean of theirs.
std::vector<double> mean_ranks(std::span<const double> values);

}  // namespace dovetail
