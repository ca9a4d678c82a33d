// SPDX-License-Identifier: Apache-2.0
#pragma once

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

#include <cstddef>
#include <span>
#include <vector>

namespace dovetail {

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
