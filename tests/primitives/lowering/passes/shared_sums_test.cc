// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/shared_sums.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace dovetail {
namespace {

using Matrix = std::vector<std::vector<double>>;

double sum_of(const SumTerms& terms, const std::vector<double>& x,
              const std::vector<double>& shared) {
  double sum = 0;
  for (const SumTerm& term : terms)
    sum += term.coefficient * (term.is_shared ? shared[term.index] : x[term.index]);
  return sum;
}

std::vector<double> computed(const std::vector<RowGroup>& groups, const std::vector<double>& x,
                             size_t rows) {
  std::vector<double> y(rows, -1e9);
  for (const RowGroup& group : groups) {
    std::vector<double> shared;
    for (const SumTerms& terms : group.shared) shared.push_back(sum_of(terms, x, {}));
    for (const RowGroup::Row& row : group.rows) y[row.row] = sum_of(row.terms, x, shared);
  }
  return y;
}

std::vector<double> product(const Matrix& matrix, const std::vector<double>& x) {
  std::vector<double> y;
  for (const std::vector<double>& row : matrix) {
    double sum = 0;
    for (size_t c = 0; c < row.size(); ++c) sum += row[c] * x[c];
    y.push_back(sum);
  }
  return y;
}

// At the points 0, 3/4, -3/4, 3/2, -3/2.
constexpr double kNear = 0.75, kFar = 1.5, kNear2 = kNear * kNear, kFar2 = kFar * kFar;
const Matrix kInputOfF43 = {
    {kNear2 * kFar2, 0, -kNear2 - kFar2, 0, 1, 0}, {0, -kNear* kFar2, -kFar2, kNear, 1, 0},
    {0, kNear* kFar2, -kFar2, -kNear, 1, 0},       {0, -kNear2* kFar, -kNear2, kFar, 1, 0},
    {0, kNear2* kFar, -kNear2, -kFar, 1, 0},       {0, kNear2* kFar2, 0, -kNear2 - kFar2, 0, 1}};
const Matrix kOutputOfF43 = {{1, 1, 1, 1, 1, 0},
                             {0, kNear, -kNear, kFar, -kFar, 0},
                             {0, kNear2, kNear2, kFar2, kFar2, 0},
                             {0, kNear2* kNear, -kNear2* kNear, kFar2* kFar, -kFar2* kFar, 1}};

TEST(SharedSums, OfWinogradsTablesAreFew) {
  EXPECT_EQ(count_additions(share_sums(kInputOfF43)), 12u);   // 16 row by row
  EXPECT_EQ(count_additions(share_sums(kOutputOfF43)), 10u);  // 14 row by row
}

TEST(SharedSums, MirroredRowsAreComputedTogether) {
  const std::vector<RowGroup> groups = share_sums(kInputOfF43);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[1].rows.size(), 2u);
  EXPECT_EQ(groups[1].shared.size(), 2u);
  // 3/2 is taken out of 3/2·x3 - 27/32·x1, which leaves one multiply-add.
  EXPECT_EQ(groups[2].rows[0].terms[1].coefficient, kFar);
  EXPECT_EQ(groups[2].shared[1][0].coefficient, -kNear2);
  EXPECT_EQ(groups[2].shared[1][1].coefficient, 1);
}

TEST(SharedSums, MirroredColumnsAreReadByAllRows) {
  const std::vector<RowGroup> groups = share_sums(kOutputOfF43);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].rows.size(), 4u);
  EXPECT_EQ(groups[0].shared.size(), 4u);
}

TEST(SharedSums, ARowOfZerosHasNoTerms) {
  const std::vector<RowGroup> groups = share_sums({{0, 0, 0}, {1, 2, 3}});
  EXPECT_EQ(computed(groups, {1, 1, 1}, 2), (std::vector<double>{0, 6}));
}

// Numbers that are often equal or negated, so that rows and columns are often mirrored.
RC_GTEST_PROP(SharedSums, GiveTheMatrixProduct, ()) {
  const auto rows = *rc::gen::inRange<size_t>(1, 7), columns = *rc::gen::inRange<size_t>(1, 7);
  Matrix matrix(rows);
  for (std::vector<double>& row : matrix)
    for (size_t c = 0; c < columns; ++c)
      row.push_back(*rc::gen::element(-2.0, -1.0, 0.0, 1.0, 2.0));
  if (rows > 1 && *rc::gen::arbitrary<bool>()) {  // mirrored for certain
    for (size_t c = 0; c < columns; ++c)
      matrix[rows - 1][c] = matrix[0][c] * *rc::gen::element(-1.0, 1.0);
  }
  const auto x = *rc::gen::container<std::vector<double>>(
      columns, rc::gen::map(rc::gen::inRange(-9, 10), [](int v) { return double(v); }));
  const std::vector<RowGroup> groups = share_sums(matrix);
  RC_ASSERT(computed(groups, x, rows) == product(matrix, x));
  size_t plain = 0;
  for (const std::vector<double>& row : matrix) {
    const size_t terms = row.size() - static_cast<size_t>(std::ranges::count(row, 0.0));
    plain += terms == 0 ? 0 : terms - 1;
  }
  RC_ASSERT(count_additions(groups) <= plain);
}

}  // namespace
}  // namespace dovetail
