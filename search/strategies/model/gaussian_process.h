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
// its own (automatic relevance determination), and noise; both by kernel_weights.h, looked for
// again when there are 1.4 times as many values. The factor of all covariances has its best value
// in closed form. (C. E. Rasmussen, C. K. I. Williams: Gaussian Processes for Machine Learning,
// 2006, chapters 2 and 5.)
//
// Why no gradients and no linear-algebra library: a few hundred values take milliseconds, and the
// same sums in the same order give the same proposals everywhere.

#include <cstddef>
#include <vector>

#include "search/strategies/model/kernel_weights.h"

namespace dovetail {

struct Belief {
  double mean = 0;
  double deviation = 1;
};

class GaussianProcess {
 public:
  using Place = std::vector<double>;

  explicit GaussianProcess(std::vector<size_t> groups);

  // At least one value. What it learnt before is forgotten, except the weights.
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

  // Of other values at the places learnt: numbers of which mean_of makes what they would say, less
  // their mean.
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
