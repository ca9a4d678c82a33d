// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/base/check.h"

namespace dovetail {

namespace {

constexpr double kLeastPivot = 1e-9;
constexpr size_t kMostValues = 96;
constexpr double kPenalty = 0.125;  // nats, for a weight twice or half as large as the others
constexpr double kLeastNoise = 1e-3, kMostNoise = 1;
constexpr double kMostLogGroup = 6, kMostLogAll = 12;

// Coordinate search for the weights that make the values most likely.
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
  std::vector<double> values_;              // values that count, less their mean
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

// Four partial sums: faster, and in one order on every machine.
double dot(const double* a, const double* b, size_t n) {
  double sums[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t j = 0; j < 4; ++j) sums[j] += a[i + j] * b[i + j];
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
namespace {

constexpr double kGrowth = 1.4;  // growth of the number of values that triggers a new fit

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

}  // namespace

GaussianProcess::GaussianProcess(std::vector<size_t> groups)
    : groups_(std::move(groups)),
      weights_(first_weights(groups_.empty() ? 0 : 1 + *std::ranges::max_element(groups_))) {}

void GaussianProcess::learn(const std::vector<Place>& places, const std::vector<double>& values) {
  CHECK(places.size() == values.size() && !places.empty(), "a value for each place");
  const size_t n = places.size();
  if (static_cast<double>(n) >= kGrowth * static_cast<double>(weights_of_)) {
    weights_ = likelier_weights(std::move(weights_), groups_, places, values);
    weights_of_ = n;
  }
  places_.clear();
  for (const Place& place : places) places_.push_back(weighted(place));
  factor_.assign(n * n, 0);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < i; ++j)
      factor_[i * n + j] = matern(squared_distance(places_[i], places_[j]));
    factor_[i * n + i] = 1 + weights_.noise;
  }
  CHECK(factorize(factor_, n), "covariances with noise are positive");
  mean_ = mean_of_values(values);
  solved_ = solve(values);
  double squares = 0;
  for (size_t i = 0; i < n; ++i) squares += (values[i] - mean_) * solved_[i];
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
  solve_lower(factor_, places_.size(), view.whitened);
  return view;
}

double GaussianProcess::mean(const View& view) const { return mean_ + mean_of(view, solved_); }

Belief GaussianProcess::belief(const View& view) const {
  const double known = dot(view.whitened, view.whitened);
  return {.mean = mean(view), .deviation = scale_ * std::sqrt(std::max(1 - known, 1e-9))};
}

std::vector<double> GaussianProcess::solve(const std::vector<double>& values) const {
  const double mean = mean_of_values(values);
  std::vector<double> solved = values;
  for (double& value : solved) value -= mean;
  solve_lower(factor_, places_.size(), solved);
  solve_upper(factor_, places_.size(), solved);
  return solved;
}

double GaussianProcess::mean_of(const View& view, const std::vector<double>& solved) {
  return dot(view.covariance, solved);
}

double GaussianProcess::covariance(const View& a, const View& b) const {
  return matern(squared_distance(a.place, b.place));
}

}  // namespace dovetail
