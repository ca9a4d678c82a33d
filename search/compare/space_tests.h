// SPDX-License-Identifier: Apache-2.0
#pragma once

// SpaceTest: whether two strategies differ on spaces like those of a comparison. Its sample is the
// spaces, each of which counts once by the median of its runs' scores.
//
//   space 1   a 0.50 0.54 0.61   b 0.40 0.41 0.47     medians 0.54 - 0.41 = +0.13
//   space 2   a 0.33 0.35 0.36   b 0.37 0.31 0.33     medians 0.35 - 0.33 = +0.02
//   space 3   a 0.71 0.70 0.66   b 0.69 0.60 0.65     medians 0.70 - 0.65 = +0.05
//   Wilcoxon's signed-rank test of +0.13 +0.02 +0.05: p = 0.25, the least of three spaces
//
// A test over all runs takes those on one space as independent of each other, so its p falls with
// the number of seeds, with no evidence on further spaces. This p cannot be below 2 / 2^spaces.

#include <vector>

#include "search/compare/comparison.h"

namespace dovetail {

struct SpaceTest {
  PairTest runs = {};  // the same pair over its runs
  // Which way p over the runs points: the matched-pairs rank-biserial correlation, the share of
  // ranks for a minus the share for b, from -1 to 1. It need not have the sign of the difference
  // below, in which each space counts once and large differences no more than small ones. D. S.
  // Kerby, "The simple difference formula", Comprehensive Psychology 3, 2014.
  double run_effect = 0;
  double median_difference = 0;  // median over the spaces of a's median minus b's
  double p = 1;
  double p_holm = 1;  // corrected for all pairs of strategies
};

// One for each of `comparison.pairs`, in their order.
std::vector<SpaceTest> test_over_spaces(const Comparison& comparison);

// Says if runs or spaces tell any two strategies apart (5 %, Holm). True where nothing was tested.
bool has_difference(const Comparison& comparison);

}  // namespace dovetail
