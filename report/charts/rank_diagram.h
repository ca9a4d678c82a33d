// SPDX-License-Identifier: Apache-2.0
#pragma once

// RankDiagram: J. Demšar's critical-difference diagram: average ranks on an axis, and a bar over
// those that Nemenyi's test cannot tell apart.
//
//   |-- CD --|
//   1     2     3     4
//   |--+--+-----+--+--|        best on the left
//      |  |     |  |
//      +==+     +==+           dovetail and ppo are tied, so are annealing and random
//
// "Statistical comparisons of classifiers over multiple data sets", J. Mach. Learn. Res. 7, 2006.

#include <string>
#include <utility>
#include <vector>

#include "report/charts/drawing.h"

namespace dovetail {

struct RankDiagram {
  std::vector<std::string> names = {};
  std::vector<double> average_ranks = {};  // one per name; 1 is the best
  double critical_difference = 0;
  // [first, last] in the order of average ranks, as tied_groups has it
  // (search/compare/statistics/rank_tests.h).
  std::vector<std::pair<size_t, size_t>> tied = {};
  double width = 720;
};

Drawing draw(const RankDiagram& diagram);
std::string csv(const RankDiagram& diagram);  // label,rank, last the critical difference

}  // namespace dovetail
