// SPDX-License-Identifier: Apache-2.0
#pragma once

// SpeedModel: what points of one space will take, from those that were measured: an analytic
// model's estimate, scaled, and a Gaussian process over the points of what that misses.
//
//   log seconds = a + b · log estimate + process(place)
//
//   SpeedModel model(places.groups());
//   model.learn(samples);
//   model.guess(place)                    log seconds from the place alone: nothing is lowered
//   Forecast forecast(model, candidates, awaited);
//   forecast.belief(3)                    of the fourth candidate: mean and deviation
//   forecast.choose(3);                   the others' deviations shrink near it
//
// Why both: over a whole space the estimate ranks points from the first trial on, and the process
// alone would need hundreds; near a good point the estimate says nothing, and the process learns
// from a few dozen. b is 1 unless the samples say otherwise. What was chosen counts as measured at
// its mean (the kriging believer), so that a round does not hold sixteen times the same idea.

#include <optional>
#include <vector>

#include "search/strategies/model/gaussian_process.h"
#include "search/strategies/points/point_places.h"

namespace dovetail {

struct SpeedSample {
  Place place;
  double log_seconds = 0;
  double log_estimate = 0;
};

class SpeedModel {
 public:
  explicit SpeedModel(std::vector<size_t> groups) : process_(std::move(groups)) {}

  void learn(const std::vector<SpeedSample>& samples);
  bool has_learnt() const { return process_.size() > 0; }

  double guess(const Place& place) const;
  // What the estimate alone says.
  double trend(double log_estimate) const { return level_ + slope_ * log_estimate; }
  const GaussianProcess& process() const { return process_; }

 private:
  GaussianProcess process_;  // of what the trend misses
  double level_ = 0, slope_ = 1;
  double mean_ = 0;             // of log seconds
  std::vector<double> solved_;  // for them
};

// Of candidates of one round.
class Forecast {
 public:
  struct Candidate {
    Place place;
    double log_estimate = 0;
  };
  // `awaited`: places that are being measured. The model has learnt, and outlives it.
  Forecast(const SpeedModel& model, const std::vector<Candidate>& candidates,
           const std::vector<Place>& awaited);

  Belief belief(size_t candidate) const;
  // From now on it counts as measured at its mean.
  void choose(size_t candidate);

 private:
  const SpeedModel& model_;
  std::vector<GaussianProcess::View> views_;  // of candidates, then of what is awaited
  std::vector<double> means_;                 // of candidates
  std::vector<double> known_;                 // share of each view's variance
};

}  // namespace dovetail
