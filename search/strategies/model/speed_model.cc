// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/speed_model.h"

#include <algorithm>
#include <cmath>

namespace dovetail {
namespace {

// So much do as many samples as spread one octave say against a slope of 1.
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
  mean_ = mean_of_values(seconds);
  const double mean_estimate = mean_of_values(estimates);
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

// One more row of Cholesky's factor: of every view the part that this one explains.
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
