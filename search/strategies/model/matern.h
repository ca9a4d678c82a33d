// SPDX-License-Identifier: Apache-2.0
#pragma once

// What gaussian_process.cc and kernel_weights.cc have in common: the Matérn covariance with 5/2 and
// a Cholesky factor, of matrices that are stored row by row.

#include <cstddef>
#include <vector>

namespace dovetail {

// Of a squared distance: 1 at 0.
double matern(double squared_distance);

// The lower triangle of a symmetric matrix becomes its factor; false: it is not positive.
bool factorize(std::vector<double>& matrix, size_t n);
// In place: the factor's inverse times x, and its transpose's.
void solve_lower(const std::vector<double>& factor, size_t n, std::vector<double>& x);
void solve_upper(const std::vector<double>& factor, size_t n, std::vector<double>& x);

double dot(const double* a, const double* b, size_t n);
double dot(const std::vector<double>& a, const std::vector<double>& b);
double mean_of_values(const std::vector<double>& values);

}  // namespace dovetail
