// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/matern.h"

#include <cmath>
#include <numeric>

#include "core/base/check.h"

namespace dovetail {
namespace {

constexpr double kLeastPivot = 1e-9;

}  // namespace

double matern(double squared_distance) {
  const double r = std::sqrt(5 * squared_distance);
  return (1 + r + r * r / 3) * std::exp(-r);
}

bool factorize(std::vector<double>& matrix, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    double* const row = &matrix[i * n];
    for (size_t j = 0; j < i; ++j)
      row[j] = (row[j] - dot(row, &matrix[j * n], j)) / matrix[j * n + j];
    const double pivot = row[i] - dot(row, row, i);
    if (!(pivot > kLeastPivot)) return false;
    row[i] = std::sqrt(pivot);
  }
  return true;
}

void solve_lower(const std::vector<double>& factor, size_t n, std::vector<double>& x) {
  for (size_t i = 0; i < n; ++i)
    x[i] = (x[i] - dot(&factor[i * n], x.data(), i)) / factor[i * n + i];
}

void solve_upper(const std::vector<double>& factor, size_t n, std::vector<double>& x) {
  for (size_t i = n; i-- > 0;) {
    x[i] /= factor[i * n + i];
    for (size_t j = 0; j < i; ++j) x[j] -= factor[i * n + j] * x[i];
  }
}

// Four sums side by side: faster, and the same on every machine.
double dot(const double* a, const double* b, size_t n) {
  double sums[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (size_t j = 0; j < 4; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (; i < n; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  CHECK(a.size() == b.size(), "a product of vectors of two lengths");
  return dot(a.data(), b.data(), a.size());
}

double mean_of_values(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace dovetail
