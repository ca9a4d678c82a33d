// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/kernel_weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/base/check.h"

namespace dovetail {
namespace {

constexpr double kLeastPivot = 1e-9;
constexpr size_t kMostValues = 96;
constexpr double kPenalty = 0.125;  // nats, of a weight twice or half as large as the others
constexpr double kLeastNoise = 1e-3, kMostNoise = 1;
constexpr double kMostLogGroup = 6, kMostLogAll = 12;

// How likely the values are, for weights that change one by one.
class WeightSearch {
 public:
  WeightSearch(KernelWeights weights, const std::vector<size_t>& groups,
               const std::vector<std::vector<double>>& places, const std::vector<double>& values)
      : weights_(std::move(weights)) {
    const std::vector<size_t> some = least_and_last(values, kMostValues);
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
