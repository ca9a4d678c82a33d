// SPDX-License-Identifier: Apache-2.0
#pragma once

// SpeedModel: predicts times of points of one space from measured points: an analytic model's
// estimate, scaled, and a Gaussian process over the points for its residual.
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
// Both are needed: over a whole space the estimate ranks points from the first trial on, and the
// process alone would need hundreds; near a good point the estimate tells little, and the process
// learns from a few dozen. b is 1 by prior. A chosen candidate counts as measured at its mean (the
// kriging believer), so that a round is not sixteen times the same idea.

#include <cstddef>
#include <vector>

#include "primitives/space/space.h"
#include "search/strategies/model/gaussian_process.h"

namespace dovetail {

// PointPlaces: embeds points of a space as vectors, so that similar points are close, for models
// that go by distances (gaussian_process.h).
//
//   register_tile.o   16 32 48 64       one coordinate: its logarithm, 0 at the least and 1 at the
//                                       largest
//   layout_tile.Y.o   0 4 8 16          and one more: 1/2 where it is 0, which means none
//   storage.X.h       pad unfold guard  one coordinate for each: 1/sqrt(2) where it is that one
//
// Least and largest are taken over 256 seeded samples and all neighbours of the default point,
// because domains depend on earlier values; values beyond are clamped. A parameter that is the same
// in all of these has no coordinate.

using Place = std::vector<double>;

class PointPlaces {
 public:
  explicit PointPlaces(const Space& space);

  Place place_of(const Point& point) const;
  // The parameter of each coordinate, numbered from 0 among parameters that have coordinates.
  const std::vector<size_t>& groups() const { return groups_; }
  size_t num_groups() const { return axes_.size(); }

 private:
  struct Axis {
    size_t parameter = 0;
    bool named = false;           // categorical
    bool has_none = false;        // 0 means none
    double least = 0, range = 1;  // minimum and range of log_size
    std::vector<int64_t> values;  // categories; empty unless named
  };
  static Axis make_axis(const Parameter& parameter, size_t position, std::vector<int64_t> values);
  void append(const Axis& axis, int64_t value, Place& place) const;

  std::vector<Axis> axes_;
  std::vector<size_t> groups_;
};

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
  // Log seconds predicted from the estimate alone.
  double trend(double log_estimate) const { return level_ + slope_ * log_estimate; }
  const GaussianProcess& process() const { return process_; }

 private:
  GaussianProcess process_;  // models the trend's residual
  double level_ = 0, slope_ = 1;
  double mean_ = 0;             // mean log seconds
  std::vector<double> solved_;  // process_.solve() for log seconds
};

// Forecast: predictions for the candidates of one round.
class Forecast {
 public:
  struct Candidate {
    Place place;
    double log_estimate = 0;
  };
  // `awaited`: places being measured. The model must have learnt, and outlive this.
  Forecast(const SpeedModel& model, const std::vector<Candidate>& candidates,
           const std::vector<Place>& awaited);

  Belief belief(size_t candidate) const;
  // From now on the candidate counts as measured at its mean.
  void choose(size_t candidate);

 private:
  const SpeedModel& model_;
  std::vector<GaussianProcess::View> views_;  // candidates, then awaited places
  std::vector<double> means_;                 // candidates only
  std::vector<double> known_;                 // explained share of each view's variance
};

}  // namespace dovetail
