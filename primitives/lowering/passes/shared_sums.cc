// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/shared_sums.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dovetail {
namespace {

using Matrix = std::vector<std::vector<double>>;

SumTerms terms_of(const std::vector<double>& row) {
  SumTerms terms;
  for (size_t c = 0; c < row.size(); ++c)
    if (row[c] != 0) terms.push_back({row[c], false, c});
  return terms;
}

RowGroup alone(const Matrix& matrix, size_t row) { return {{}, {{row, terms_of(matrix[row])}}}; }

bool is_exact(double coefficient, double size) {
  const auto quotient = static_cast<float>(coefficient / size);
  return quotient * size == coefficient;
}

// Divides the terms by the magnitude of one, so that it costs no multiplication, and returns the
// divisor; 1 where a term has that magnitude already, or where the others would be rounded. The
// divisor is negative where all coefficients are.
double take_common_factor(SumTerms& terms) {
  const auto divides = [&](const SumTerm& by) {
    const double size = std::abs(by.coefficient);
    return std::ranges::all_of(terms,
                               [&](const SumTerm& t) { return is_exact(t.coefficient, size); });
  };
  const auto is_one = [](const SumTerm& t) { return std::abs(t.coefficient) == 1; };
  const auto by = std::ranges::find_if(terms, is_one);
  const auto divisor = by == terms.end() ? std::ranges::find_if(terms, divides) : by;
  if (divisor == terms.end()) return 1;
  const auto negative = [](const SumTerm& t) { return t.coefficient < 0; };
  const double size = std::abs(divisor->coefficient);
  const double factor = std::ranges::all_of(terms, negative) ? -size : size;
  for (SumTerm& term : terms) term.coefficient /= factor;
  return factor;
}

// Writes two rows as sum and difference of two parts; false where they are not mirrored, or where
// that saves no addition.
bool mirrored_rows(const Matrix& matrix, size_t first, size_t second, RowGroup& group) {
  SumTerms equal, negated;
  for (const SumTerm& term : terms_of(matrix[first])) {
    const double other = matrix[second][term.index];
    if (other != term.coefficient && other != -term.coefficient) return false;
    (other == term.coefficient ? equal : negated).push_back(term);
  }
  if (terms_of(matrix[second]).size() != equal.size() + negated.size()) return false;
  if (equal.empty() || negated.empty() || equal.size() + negated.size() < 3) return false;
  const double even = take_common_factor(equal), odd = take_common_factor(negated);
  group.shared = {std::move(equal), std::move(negated)};
  group.rows = {{first, {{even, true, 0}, {odd, true, 1}}},
                {second, {{even, true, 0}, {-odd, true, 1}}}};
  return true;
}

std::vector<RowGroup> by_mirrored_rows(const Matrix& matrix) {
  std::vector<RowGroup> groups;
  std::vector<bool> done(matrix.size());
  for (size_t row = 0; row < matrix.size(); ++row) {
    if (done[row]) continue;
    RowGroup group = alone(matrix, row);
    for (size_t other = row + 1; other < matrix.size(); ++other) {
      if (done[other] || !mirrored_rows(matrix, row, other, group)) continue;
      done[other] = true;
      break;
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// Whether magnitudes are equal in all rows, and signs are equal in some and opposite in others.
bool are_mirrored_columns(const Matrix& matrix, size_t first, size_t second) {
  bool equal = false, negated = false;
  for (const std::vector<double>& row : matrix) {
    if (std::abs(row[first]) != std::abs(row[second])) return false;
    if (row[first] == 0) continue;
    (row[first] == row[second] ? equal : negated) = true;
  }
  return equal && negated;
}

// All rows in one group that reads the sum and the difference of each pair of mirrored columns.
RowGroup by_mirrored_columns(const Matrix& matrix) {
  RowGroup group;
  for (size_t row = 0; row < matrix.size(); ++row) group.rows.push_back({row, {}});
  const size_t columns = matrix.empty() ? 0 : matrix[0].size();
  std::vector<bool> done(columns);
  for (size_t c = 0; c < columns; ++c) {
    if (done[c]) continue;
    size_t partner = c + 1;
    while (partner < columns && (done[partner] || !are_mirrored_columns(matrix, c, partner)))
      ++partner;
    const size_t sum = group.shared.size();
    if (partner < columns) {
      done[partner] = true;
      group.shared.push_back({{1, false, c}, {1, false, partner}});
      group.shared.push_back({{1, false, c}, {-1, false, partner}});
    }
    for (RowGroup::Row& row : group.rows) {
      const double coefficient = matrix[row.row][c];
      if (coefficient == 0) continue;
      const bool is_sum = partner < columns && coefficient == matrix[row.row][partner];
      row.terms.push_back(partner == columns ? SumTerm{coefficient, false, c}
                                             : SumTerm{coefficient, true, sum + (is_sum ? 0 : 1)});
    }
  }
  return group;
}

}  // namespace

size_t count_additions(const std::vector<RowGroup>& groups) {
  size_t additions = 0;
  for (const RowGroup& group : groups) {
    for (const SumTerms& terms : group.shared) additions += terms.size() - 1;
    for (const RowGroup::Row& row : group.rows)
      additions += row.terms.empty() ? 0 : row.terms.size() - 1;
  }
  return additions;
}

std::vector<RowGroup> share_sums(const Matrix& matrix) {
  std::vector<RowGroup> by_rows = by_mirrored_rows(matrix);
  std::vector<RowGroup> by_columns = {by_mirrored_columns(matrix)};
  // Columns win at equal cost, because each element is then read once for all rows.
  const bool columns =
      !by_columns[0].shared.empty() && count_additions(by_columns) <= count_additions(by_rows);
  return columns ? by_columns : by_rows;
}

}  // namespace dovetail
