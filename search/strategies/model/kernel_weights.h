// SPDX-License-Identifier: Apache-2.0
#pragma once

// KernelWeights: how much each direction matters to a Gaussian process, and how noisy its values
// are (gaussian_process.h): those that make the values most likely, with a penalty for weights that
// differ, because a few dozen values say little of thirty directions.
//
//   weights = likelier_weights(weights, groups, places, values)     one sweep from where they are
//
// A sweep tries all weights twice as large or small as often as that helps, then each of them four
// times as large or small, each time with noise in between. At most 96 values count, half of them
// the least and half the last: what is near the optimum must be told apart.

#include <cstddef>
#include <vector>

namespace dovetail {

// The Matérn covariance with 5/2, and Cholesky factors of matrices that are stored row by row.

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

struct KernelWeights {
  std::vector<double> log_groups;  // to base 2, one a group
  double log_all = 0;              // added to each
  double noise = 0.05;             // in units of the covariance
};

// The positions, ascending, of at most so many values: half of them the least, half the last.
std::vector<size_t> least_and_last(const std::vector<double>& values, size_t most);

KernelWeights first_weights(size_t num_groups);
KernelWeights likelier_weights(KernelWeights weights, const std::vector<size_t>& groups,
                               const std::vector<std::vector<double>>& places,
                               const std::vector<double>& values);

}  // namespace dovetail
