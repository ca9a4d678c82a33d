// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/kernel_weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "search/strategies/model/matern.h"

namespace dovetail {
namespace {

constexpr size_t kMostValues = 96;
constexpr double kPenalty = 0.125;  // nats, of a weight twice or half as large as the others
constexpr double kLeastNoise = 1e-3, kMostNoise = 1;
constexpr double kMostLogGroup = 6, kMostLogAll = 12;

std::vector<size_t> some_of(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (order.size() <= kMostValues) return order;
  std::ranges::stable_sort(order, {}, [&](size_t i) { return values[i]; });
  std::ranges::sort(order.begin() + kMostValues / 2, order.end(), std::greater());
  order.resize(kMostValues);
  std::ranges::sort(order);
  return order;
}

// How likely the values are, for weights that change one by one.
class WeightSearch {
 public:
  WeightSearch(KernelWeights weights, const std::vector<size_t>& groups,
               const std::vector<std::vector<double>>& places, const std::vector<double>& values)
      : weights_(std::move(weights)) {
    const std::vector<size_t> some = some_of(values);
    n_ = some.size();
    for (const size_t i : some) values_.push_back(values[i]);
    const double mean = mean_of_values(values_);
    for (double& value : values_) value -= mean;
    apart_.assign(weights_.log_groups.size(), std::vector<double>(n_ * n_, 0));
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = 0; j < i; ++j) {
        for (size_t c = 0; c < groups.size(); ++c) {
          const double difference = places[some[i]][c] - places[some[j]][c];
          apart_[groups[c]][i * n_ + j] += difference * difference;
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
      for (const double step : {2.0, -2.0}) {
        if (std::abs(group + step) <= kMostLogGroup && improve(group, step)) break;
      }
    }
    improve_noise();
    return weights_;
  }

 private:
  // Whether a step of one of the weights, which stays then, is more likely.
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

  // Its logarithm, with the best factor of all covariances, less the penalty.
  double likelihood() {
    fill();
    if (!factorize(matrix_, n_)) return -1e300;
    std::vector<double> whitened = values_;
    solve_lower(matrix_, n_, whitened);
    const auto count = static_cast<double>(n_);
    double sum = -count / 2 * std::log(dot(whitened, whitened) / count + 1e-12);
    for (size_t i = 0; i < n_; ++i) sum -= std::log(matrix_[i * n_ + i]);
    return sum - kPenalty * dot(weights_.log_groups, weights_.log_groups);
  }

  void fill() {
    matrix_.assign(n_ * n_, 0);
    for (size_t g = 0; g < apart_.size(); ++g) {
      const double weight = std::exp2(weights_.log_groups[g] + weights_.log_all);
      for (size_t i = 0; i < n_ * n_; ++i) matrix_[i] += weight * apart_[g][i];
    }
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = 0; j < i; ++j) matrix_[i * n_ + j] = matern(matrix_[i * n_ + j]);
      matrix_[i * n_ + i] = 1 + weights_.noise;
    }
  }

  KernelWeights weights_;
  size_t n_ = 0;
  std::vector<double> values_;              // less their mean
  std::vector<std::vector<double>> apart_;  // squared distances by group
  std::vector<double> matrix_;
  double best_ = 0;
};

}  // namespace

KernelWeights first_weights(size_t num_groups) {
  KernelWeights weights{.log_groups = std::vector<double>(num_groups, 0)};
  weights.log_all = 2 - std::log2(static_cast<double>(std::max<size_t>(num_groups, 1)));
  return weights;
}

KernelWeights likelier_weights(KernelWeights weights, const std::vector<size_t>& groups,
                               const std::vector<std::vector<double>>& places,
                               const std::vector<double>& values) {
  return WeightSearch(std::move(weights), groups, places, values).sweep();
}

}  // namespace dovetail
