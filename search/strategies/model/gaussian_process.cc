// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/gaussian_process.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace dovetail {
namespace {

constexpr double kGrowth = 1.4;  // of the values, until weights are looked for again

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
