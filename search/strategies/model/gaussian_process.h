// SPDX-License-Identifier: Apache-2.0
#pragma once

// GaussianProcess: predicts a function at a place, with a deviation, from its values at others:
// near places have similar values, and some directions matter more than others.
//
//   GaussianProcess process(/*groups=*/{0, 0, 1});   // coordinates 0 and 1 are one parameter's
//   process.learn(places, values);                   // a few hundred at most: n^3 / 6 steps
//   process.belief(process.seen_from(place))         // {mean 0.31, deviation 0.04}
//
// Covariance: Matérn 5/2 over a distance in which every group of coordinates has a weight of its
// own (automatic relevance determination), plus noise. KernelWeights has both, fitted again when
// there are 1.4 times as many values. The scale of all covariances has its best value in closed
// form. (C. E. Rasmussen, C. K. I. Williams: Gaussian Processes for Machine Learning, 2006,
// chapters 2 and 5.)
//
// It uses no gradients: a few hundred values take milliseconds.

#include <cstddef>
#include <vector>

namespace dovetail {

double dot(const std::vector<double>& a, const std::vector<double>& b);

// Ascending positions of at most `most` values: the least as one half, the latest as the other.
std::vector<size_t> least_and_last(const std::vector<double>& values, size_t most);

// KernelWeights: how much each direction matters to a Gaussian process, and how noisy its values
// are.
struct KernelWeights {
  std::vector<double> log_groups;  // logarithm to base 2, one per group
  double log_all = 0;              // added to each
  double noise = 0.05;             // relative to the covariance at a distance of 0
};

struct Belief {
  double mean = 0;
  double deviation = 1;
};

class GaussianProcess {
 public:
  using Place = std::vector<double>;

  explicit GaussianProcess(std::vector<size_t> groups);

  // Replaces earlier values by these, at least one; only the weights carry over.
  void learn(const std::vector<Place>& places, const std::vector<double>& values);
  size_t size() const { return places_.size(); }

  // A place, and its covariances with the places learnt.
  struct View {
    Place place;                     // coordinates times the roots of their weights
    std::vector<double> covariance;  // with each place learnt
    std::vector<double> whitened;    // inverse factor times it; empty unless wanted
  };
  View seen_from(const Place& place, bool with_deviation = true) const;
  Belief belief(const View& view) const;  // needs view.whitened
  double mean(const View& view) const;

  // Solves for other values at the places learnt: mean_of(view, solve(values)) is then their
  // prediction at the view, less their mean.
  std::vector<double> solve(const std::vector<double>& values) const;
  static double mean_of(const View& view, const std::vector<double>& solved);

  double covariance(const View& a, const View& b) const;  // 1 at most
  double noise() const { return weights_.noise; }         // in the same unit
  double scale() const { return scale_; }                 // prior deviation

 private:
  Place weighted(const Place& place) const;

  std::vector<size_t> groups_;
  KernelWeights weights_;
  size_t weights_of_ = 0;  // number of values that the weights are fitted to

  std::vector<Place> places_;   // weighted
  std::vector<double> factor_;  // Cholesky factor of the covariances, by columns
  std::vector<double> solved_;
  double mean_ = 0, scale_ = 1;
};

}  // namespace dovetail
