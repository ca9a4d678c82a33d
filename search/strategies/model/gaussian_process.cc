// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/gaussian_process.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/base/check.h"
#include "core/base/statistics.h"

namespace dovetail {

namespace {

constexpr size_t kMostValues = 96;
constexpr double kPenalty = 0.125;  // nats, for a weight twice or half as large as the others
constexpr double kLeastNoise = 1e-3, kMostNoise = 1;
constexpr double kMostLogGroup = 6, kMostLogAll = 12;
constexpr double kGrowth = 1.4;  // growth of the number of values that triggers a new fit

Eigen::Map<const Eigen::VectorXd> vector_of(const std::vector<double>& values) {
  return {values.data(), std::ssize(values)};
}

Eigen::Map<const Eigen::MatrixXd> square_of(const std::vector<double>& values, size_t n) {
  return {values.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)};
}

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  return (vector_of(a) - vector_of(b)).squaredNorm();
}

// Matérn 5/2; 1 at a distance of 0.
double matern(double squared_distance) {
  const double r = std::sqrt(5 * squared_distance);
  return (1 + r + r * r / 3) * std::exp(-r);
}

// Coordinate search for the maximum-likelihood weights, with a penalty for weights that differ,
// because a few dozen values determine little about thirty directions.
//
// A sweep doubles or halves all weights as often as that helps, then tries each of them four times
// as large or small, and fits the noise after either. At most 96 values count, the least as one
// half and the latest as the other: points near the optimum must be told apart.
class WeightSearch {
 public:
  WeightSearch(KernelWeights weights, const std::vector<size_t>& groups,
               const std::vector<std::vector<double>>& places, const std::vector<double>& values)
      : weights_(std::move(weights)) {
    const std::vector<size_t> some = least_and_last(values, kMostValues);
    const std::ptrdiff_t n = std::ssize(some);
    values_.resize(n);
    for (std::ptrdiff_t i = 0; i < n; ++i) values_[i] = values[some[i]];
    values_.array() -= values_.mean();
    apart_.assign(weights_.log_groups.size(), Eigen::MatrixXd::Zero(n, n));
    for (std::ptrdiff_t j = 0; j < n; ++j) {
      for (std::ptrdiff_t i = j + 1; i < n; ++i) {
        for (size_t c = 0; c < groups.size(); ++c) {
          const double difference = places[some[i]][c] - places[some[j]][c];
          apart_[groups[c]](i, j) += difference * difference;
        }
      }
    }
    best_ = likelihood();
  }

  KernelWeights sweep() {
    for (const double step : {1.0, -1.0}) {
      while (std::abs(weights_.log_all + step) <= kMostLogAll && improve(weights_.log_all, step)) {
      }
    }
    improve_noise();
    for (double& group : weights_.log_groups) {
      for (const double step : {2.0, -2.0})
        if (std::abs(group + step) <= kMostLogGroup && improve(group, step)) break;
    }
    improve_noise();
    return weights_;
  }

 private:
  // Takes a step of one weight if that is more likely; tells whether it was.
  bool improve(double& number, double step) {
    number += step;
    if (is_likelier()) return true;
    number -= step;
    return false;
  }

  void improve_noise() {
    for (const double factor : {2.0, 0.5}) {
      while (weights_.noise * factor >= kLeastNoise && weights_.noise * factor <= kMostNoise) {
        const double before = weights_.noise;
        weights_.noise *= factor;
        if (is_likelier()) continue;
        weights_.noise = before;
        break;
      }
    }
  }

  bool is_likelier() {
    const double found = likelihood();
    if (!(found > best_)) return false;
    best_ = found;
    return true;
  }

  // Log likelihood with the best scale of all covariances, less the penalty.
  double likelihood() const {
    const Eigen::LLT<Eigen::MatrixXd> factor(covariances());
    if (factor.info() != Eigen::Success) return -1e300;
    const auto count = static_cast<double>(values_.size());
    const double squares = factor.matrixL().solve(values_).squaredNorm();
    return -count / 2 * std::log(squares / count + 1e-12) -
           factor.matrixLLT().diagonal().array().log().sum() -
           kPenalty * dot(weights_.log_groups, weights_.log_groups);
  }

  // The lower triangle alone.
  Eigen::MatrixXd covariances() const {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(values_.size(), values_.size());
    for (size_t g = 0; g < apart_.size(); ++g)
      matrix += std::exp2(weights_.log_groups[g] + weights_.log_all) * apart_[g];
    for (std::ptrdiff_t j = 0; j < matrix.cols(); ++j) {
      for (std::ptrdiff_t i = j + 1; i < matrix.rows(); ++i) matrix(i, j) = matern(matrix(i, j));
      matrix(j, j) = 1 + weights_.noise;
    }
    return matrix;
  }

  KernelWeights weights_;
  Eigen::VectorXd values_;              // values that count, less their mean
  std::vector<Eigen::MatrixXd> apart_;  // squared distances by group, lower triangles
  double best_ = 0;
};

KernelWeights first_weights(size_t num_groups) {
  KernelWeights weights{.log_groups = std::vector<double>(num_groups, 0)};
  weights.log_all = 2 - std::log2(static_cast<double>(std::max<size_t>(num_groups, 1)));
  return weights;
}

}  // namespace

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  CHECK(a.size() == b.size(), "a product of vectors of two lengths");
  return vector_of(a).dot(vector_of(b));
}

std::vector<size_t> least_and_last(const std::vector<double>& values, size_t most) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (order.size() <= most) return order;
  std::ranges::stable_sort(order, {}, [&](size_t i) { return values[i]; });
  std::ranges::sort(order.begin() + static_cast<ptrdiff_t>(most / 2), order.end(), std::greater());
  order.resize(most);
  std::ranges::sort(order);
  return order;
}

GaussianProcess::GaussianProcess(std::vector<size_t> groups)
    : groups_(std::move(groups)),
      weights_(first_weights(groups_.empty() ? 0 : 1 + *std::ranges::max_element(groups_))) {}

void GaussianProcess::learn(const std::vector<Place>& places, const std::vector<double>& values) {
  CHECK(places.size() == values.size() && !places.empty(), "a value for each place");
  const size_t n = places.size();
  if (static_cast<double>(n) >= kGrowth * static_cast<double>(weights_of_)) {
    weights_ = WeightSearch(std::move(weights_), groups_, places, values).sweep();
    weights_of_ = n;
  }
  places_.clear();
  for (const Place& place : places) places_.push_back(weighted(place));
  factor_.assign(n * n, 1 + weights_.noise);
  for (size_t j = 0; j < n; ++j)
    for (size_t i = j + 1; i < n; ++i)
      factor_[j * n + i] = matern(squared_distance(places_[i], places_[j]));
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::Map<Eigen::MatrixXd> covariances(factor_.data(), size, size);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> in_place(covariances);
  CHECK(in_place.info() == Eigen::Success, "covariances with noise are positive");
  mean_ = dovetail::mean(values);
  solved_ = solve(values);
  const double squares = (vector_of(values).array() - mean_).matrix().dot(vector_of(solved_));
  scale_ = std::sqrt(std::max(squares / static_cast<double>(n), 1e-12));
}

GaussianProcess::Place GaussianProcess::weighted(const Place& place) const {
  Place result(place.size());
  for (size_t c = 0; c < place.size(); ++c)
    result[c] = place[c] * std::exp2((weights_.log_groups[groups_[c]] + weights_.log_all) / 2);
  return result;
}

GaussianProcess::View GaussianProcess::seen_from(const Place& place, bool with_deviation) const {
  View view{.place = weighted(place), .covariance = {}, .whitened = {}};
  view.covariance.reserve(places_.size());
  for (const Place& known : places_)
    view.covariance.push_back(matern(squared_distance(view.place, known)));
  if (!with_deviation) return view;
  view.whitened = view.covariance;
  Eigen::Map<Eigen::VectorXd> whitened(view.whitened.data(), std::ssize(places_));
  square_of(factor_, places_.size()).triangularView<Eigen::Lower>().solveInPlace(whitened);
  return view;
}

double GaussianProcess::mean(const View& view) const { return mean_ + mean_of(view, solved_); }

Belief GaussianProcess::belief(const View& view) const {
  const double known = dot(view.whitened, view.whitened);
  return {.mean = mean(view), .deviation = scale_ * std::sqrt(std::max(1 - known, 1e-9))};
}

std::vector<double> GaussianProcess::solve(const std::vector<double>& values) const {
  Eigen::VectorXd solved = vector_of(values).array() - dovetail::mean(values);
  const auto factor = square_of(factor_, places_.size());
  factor.triangularView<Eigen::Lower>().solveInPlace(solved);
  factor.transpose().triangularView<Eigen::Upper>().solveInPlace(solved);
  return {solved.begin(), solved.end()};
}

double GaussianProcess::mean_of(const View& view, const std::vector<double>& solved) {
  return dot(view.covariance, solved);
}

double GaussianProcess::covariance(const View& a, const View& b) const {
  return matern(squared_distance(a.place, b.place));
}

}  // namespace dovetail
