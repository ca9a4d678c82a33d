// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/speed_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/statistics.h"
#include "search/strategies/points/points.h"

namespace dovetail {

namespace {

constexpr int kSamples = 256;
constexpr double kNone = 0.5;
constexpr double kNamed = 0.70710678118654752;  // two names are 1 apart

double log_size(int64_t value) { return std::log2(1.0 + static_cast<double>(std::abs(value))); }

bool is_named(const Parameter& parameter) {
  return !parameter.labels.empty() || counts_orders(parameter.kind);
}

std::vector<Point> points_of(const Space& space) {
  std::mt19937_64 rng(0);
  std::vector<Point> points{space.default_point()};
  for (Neighbour& beside : neighbours(space, space.default_point(), Step::any))
    points.push_back(std::move(beside.point));
  for (int i = 0; i < kSamples; ++i) points.push_back(space.sample(rng));
  return points;
}

}  // namespace

PointPlaces::PointPlaces(const Space& space) {
  const std::vector<Point> points = points_of(space);
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    std::vector<int64_t> values;
    for (const Point& point : points) values.push_back(point[k]);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() < 2) continue;
    axes_.push_back(make_axis(space.parameters()[k], k, std::move(values)));
    const Axis& axis = axes_.back();
    const size_t coordinates = axis.named ? axis.values.size() : (axis.has_none ? 2 : 1);
    groups_.insert(groups_.end(), coordinates, axes_.size() - 1);
  }
}

PointPlaces::Axis PointPlaces::make_axis(const Parameter& parameter, size_t position,
                                         std::vector<int64_t> values) {
  Axis axis{.parameter = position, .named = is_named(parameter), .values = {}};
  axis.has_none = values.front() == 0;
  const auto [least, most] = std::ranges::minmax(values, {}, log_size);
  axis.least = log_size(least);
  axis.range = std::max(log_size(most) - axis.least, 1e-9);
  if (axis.named) axis.values = std::move(values);
  return axis;
}

Place PointPlaces::place_of(const Point& point) const {
  Place place;
  place.reserve(groups_.size());
  for (const Axis& axis : axes_) append(axis, point[axis.parameter], place);
  return place;
}

void PointPlaces::append(const Axis& axis, int64_t value, Place& place) const {
  if (axis.named) {
    for (const int64_t name : axis.values) place.push_back(name == value ? kNamed : 0);
    return;
  }
  place.push_back(std::clamp((log_size(value) - axis.least) / axis.range, 0.0, 1.0));
  if (axis.has_none) place.push_back(value == 0 ? kNone : 0);
}
namespace {

// Weight of the prior slope 1, in the unit of a sum of squared log estimates.
constexpr double kSlopePrior = 2;

}  // namespace

void SpeedModel::learn(const std::vector<SpeedSample>& samples) {
  std::vector<Place> places;
  std::vector<double> seconds, estimates;
  for (const SpeedSample& sample : samples) {
    places.push_back(sample.place);
    seconds.push_back(sample.log_seconds);
    estimates.push_back(sample.log_estimate);
  }
  mean_ = mean(seconds);
  const double mean_estimate = mean(estimates);
  for (double& estimate : estimates) estimate -= mean_estimate;
  slope_ = (dot(estimates, seconds) + kSlopePrior) / (dot(estimates, estimates) + kSlopePrior);
  level_ = mean_ - slope_ * mean_estimate;
  std::vector<double> missed;
  for (size_t i = 0; i < seconds.size(); ++i)
    missed.push_back(seconds[i] - mean_ - slope_ * estimates[i]);
  process_.learn(places, missed);
  solved_ = process_.solve(seconds);
}

double SpeedModel::guess(const Place& place) const {
  return mean_ + GaussianProcess::mean_of(process_.seen_from(place, false), solved_);
}

Forecast::Forecast(const SpeedModel& model, const std::vector<Candidate>& candidates,
                   const std::vector<Place>& awaited)
    : model_(model) {
  for (const Candidate& candidate : candidates) {
    views_.push_back(model.process().seen_from(candidate.place));
    means_.push_back(model.trend(candidate.log_estimate) + model.process().mean(views_.back()));
  }
  for (const Place& place : awaited) views_.push_back(model.process().seen_from(place));
  for (const GaussianProcess::View& view : views_)
    known_.push_back(dot(view.whitened, view.whitened));
  for (size_t i = candidates.size(); i < views_.size(); ++i) choose(i);
}

Belief Forecast::belief(size_t candidate) const {
  const double unknown = std::max(1 - known_[candidate], 1e-9);
  return {.mean = means_[candidate], .deviation = model_.process().scale() * std::sqrt(unknown)};
}

// Adds a row to the Cholesky factor: the part of each view that the chosen one explains.
void Forecast::choose(size_t candidate) {
  const GaussianProcess& process = model_.process();
  const GaussianProcess::View chosen = views_[candidate];
  const double root = std::sqrt(std::max(1 + process.noise() - known_[candidate], 1e-9));
  for (size_t i = 0; i < views_.size(); ++i) {
    GaussianProcess::View& view = views_[i];
    const double part =
        (process.covariance(view, chosen) - dot(view.whitened, chosen.whitened)) / root;
    view.whitened.push_back(part);
    known_[i] += part * part;
  }
}

}  // namespace dovetail
