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

#include <cstddef>
#include <vector>

#include "primitives/space/space.h"
#include "search/strategies/model/gaussian_process.h"

namespace dovetail {

// PointPlaces: points of a space as places in a room of numbers, where points that differ little
// stand close: what a model that goes by distances (gaussian_process.h) sees of them.
//
//   register_tile.o   16 32 48 64       one coordinate: its logarithm, 0 at the least and 1 at the
//                                       largest
//   layout_tile.Y.o   0 4 8 16          and one more: 1/2 where it is 0, which means none
//   storage.X.h       pad unfold guard  one coordinate for each: 1/sqrt(2) where it is that one
//
// Least and largest are those of 256 seeded samples and of what lies beside the default point,
// because domains depend on earlier values; what is beyond stands at the edge. A parameter that is
// the same in all of these has no coordinate.

using Place = std::vector<double>;

class PointPlaces {
 public:
  explicit PointPlaces(const Space& space);

  Place place_of(const Point& point) const;
  // Each coordinate belongs to a parameter: these are the parameters' numbers, from 0, without
  // those that have no coordinate.
  const std::vector<size_t>& groups() const { return groups_; }
  size_t num_groups() const { return axes_.size(); }

 private:
  struct Axis {
    size_t parameter = 0;
    bool named = false;           // its values have no order
    bool has_none = false;        // 0 means none
    double least = 0, range = 1;  // of the logarithm
    std::vector<int64_t> values;  // of a named one
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
  // The trend is what the estimate alone says of the logarithm of the seconds.
  double trend(double log_estimate) const { return level_ + slope_ * log_estimate; }
  const GaussianProcess& process() const { return process_; }

 private:
  GaussianProcess process_;  // of what the trend misses
  double level_ = 0, slope_ = 1;
  double mean_ = 0;             // of log seconds
  std::vector<double> solved_;  // for them
};

// A Forecast says what to expect of the candidates of one round.
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
  // From now on the candidate counts as measured at its mean.
  void choose(size_t candidate);

 private:
  const SpeedModel& model_;
  std::vector<GaussianProcess::View> views_;  // of candidates, then of what is awaited
  std::vector<double> means_;                 // of candidates
  std::vector<double> known_;                 // share of each view's variance
};

}  // namespace dovetail
