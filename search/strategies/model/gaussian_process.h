// SPDX-License-Identifier: Apache-2.0
#pragma once

// GaussianProcess: what to expect of a function at a place, and how surely, from its values at
// others: near places have similar values, and some directions matter more than others.
//
//   GaussianProcess process(/*groups=*/{0, 0, 1});   // coordinates 0 and 1 are one parameter's
//   process.learn(places, values);                   // a few hundred at most: n^3 / 6 steps
//   process.belief(process.seen_from(place))         // {mean 0.31, deviation 0.04}
//
// Covariance: Matérn with 5/2, of the distance in which every group of coordinates has a weight of
// its own (automatic relevance determination), and noise; both by KernelWeights, looked for
// again when there are 1.4 times as many values. The factor of all covariances has its best value
// in closed form. (C. E. Rasmussen, C. K. I. Williams: Gaussian Processes for Machine Learning,
// 2006, chapters 2 and 5.)
//
// Why no gradients and no linear-algebra library: a few hundred values take milliseconds, and the
// same sums in the same order give the same proposals everywhere.

#include <cstddef>
#include <vector>

namespace dovetail {

// KernelWeights: how much each direction matters to a Gaussian process, and how noisy its values
// are (gaussian_process.h): those that make the values most likely, with a penalty for weights that
// differ, because a few dozen values say little of thirty directions.
//
//   weights = likelier_weights(weights, groups, places, values)     one sweep from where they are
//
// A sweep tries all weights twice as large or small as often as that helps, then each of them four
// times as large or small, each time with noise in between. At most 96 values count, half of them
// the least and half the last: what is near the optimum must be told apart.

// The Matérn covariance with 5/2, and Cholesky factors of matrices that are stored row by row.

// It is 1 at a distance of 0.
double matern(double squared_distance);

// The lower triangle of a symmetric matrix becomes its factor; false: it is not positive.
bool factorize(std::vector<double>& matrix, size_t n);
// solve_lower multiplies x by the factor's inverse, in place, and solve_upper by that of its
// transpose.
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

// It gives the positions, ascending, of at most so many values: half of them the least, half the
// last.
std::vector<size_t> least_and_last(const std::vector<double>& values, size_t most);

KernelWeights first_weights(size_t num_groups);
KernelWeights likelier_weights(KernelWeights weights, const std::vector<size_t>& groups,
                               const std::vector<std::vector<double>>& places,
                               const std::vector<double>& values);

struct Belief {
  double mean = 0;
  double deviation = 1;
};

class GaussianProcess {
 public:
  using Place = std::vector<double>;

  explicit GaussianProcess(std::vector<size_t> groups);

  // There must be at least one value. The process forgets what it learnt before, except the
  // weights.
  void learn(const std::vector<Place>& places, const std::vector<double>& values);
  size_t size() const { return places_.size(); }

  // A place, and how it is related to those learnt.
  struct View {
    Place place;                     // coordinates times the roots of their weights
    std::vector<double> covariance;  // with each place learnt
    std::vector<double> whitened;    // the factor's inverse times it; empty unless wanted
  };
  View seen_from(const Place& place, bool with_deviation = true) const;
  Belief belief(const View& view) const;  // needs what is whitened
  double mean(const View& view) const;

  // solve prepares other values at the places learnt: mean_of(view, solve(values)) is then what
  // they let expect at the view, less their mean.
  std::vector<double> solve(const std::vector<double>& values) const;
  static double mean_of(const View& view, const std::vector<double>& solved);

  double covariance(const View& a, const View& b) const;  // 1 at most
  double noise() const { return weights_.noise; }         // in the same unit
  double scale() const { return scale_; }                 // deviation where nothing is known

 private:
  Place weighted(const Place& place) const;

  std::vector<size_t> groups_;
  KernelWeights weights_;
  size_t weights_of_ = 0;  // how many values the weights are from

  std::vector<Place> places_;   // weighted
  std::vector<double> factor_;  // Cholesky's, of the covariances
  std::vector<double> solved_;
  double mean_ = 0, scale_ = 1;
};

}  // namespace dovetail
