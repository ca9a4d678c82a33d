// SPDX-License-Identifier: Apache-2.0
//
// Multiplies a small constant matrix by a vector with few operations: rows that have partial sums
// in common are computed together.
//
//   4  0 -5  0  1  0        y0 = x4 + 4·x0 - 5·x2
//   0 -4 -4  1  1  0        s0 = x4 - 4·x2     s1 = x3 - 4·x1     y1 = s0 + s1
//   0  4 -4 -1  1  0   ->                                         y2 = s0 - s1
//   0 -2 -1  2  1  0        s0 = x4 - x2       s1 = x3 - x1       y3 = s0 + 2·s1
//   0  2 -1 -2  1  0                                              y4 = s0 - 2·s1
//   0  4  0 -5  0  1        y5 = x5 + 4·x1 - 5·x3
//
// Two rows are *mirrored* where each column has the same number in both, or the negated one: one is
// a sum of two parts, the other their difference. Two columns are mirrored likewise: all rows then
// read their sum and their difference. A factor is taken out of a part where one of its terms then
// costs no multiplication. Winograd's tables, whose points come in pairs, such as 1 and -1, are of
// this kind: 12 operations for the input of F(4,3) instead of 16, 10 instead of 14 for its output.
//
// Derived from the numbers, so that the tables of other tiles, and those that a layout pads, need
// no rule of their own.
#pragma once

#include <cstddef>
#include <vector>

namespace dovetail {

// coefficient · element; the element is the vector's, or one of the group's shared sums.
struct SumTerm {
  double coefficient = 0;
  bool is_shared = false;
  size_t index = 0;
};
using SumTerms = std::vector<SumTerm>;

// Rows that are computed together.
struct RowGroup {
  struct Row {
    size_t row = 0;
    SumTerms terms;
  };
  std::vector<SumTerms> shared;  // sums of the vector's elements
  std::vector<Row> rows;
};

// All rows of the matrix, in groups; a row of zeros has no terms.
std::vector<RowGroup> share_sums(const std::vector<std::vector<double>>& matrix);

// Additions, counting a multiply-add as one.
size_t count_additions(const std::vector<RowGroup>& groups);

}  // namespace dovetail
