// SPDX-License-Identifier: Apache-2.0
#pragma once

// BestPoints: the fastest `capacity` points measured so far, best first.
//
//   BestPoints best(/*capacity=*/16);
//   best.add(point, seconds);        // equal times stay in the order they came

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "primitives/space/space.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategy.h"

namespace dovetail {

struct MeasuredPoint {
  Point point;
  double seconds = 0;
};

class BestPoints {
 public:
  explicit BestPoints(size_t capacity) : capacity_(capacity) {}

  void add(Point point, double seconds) {
    const auto at = std::ranges::upper_bound(points_, seconds, {}, &MeasuredPoint::seconds);
    points_.insert(at, {std::move(point), seconds});
    if (points_.size() > capacity_) points_.pop_back();
  }
  MeasuredPoint take_best() {
    MeasuredPoint best = std::move(points_.front());
    points_.erase(points_.begin());
    return best;
  }
  bool empty() const { return points_.empty(); }
  const std::vector<MeasuredPoint>& points() const { return points_; }

 protected:
  std::vector<MeasuredPoint> points_;

 private:
  size_t capacity_;
};

// BestLayouts: the fastest few layouts, best first, each by its fastest point: input of a stage
// that explores loops alone.
//
//   BestLayouts layouts(space, /*capacity=*/3);
//   layouts.add(point, seconds);
//
// Two points share a layout if they differ in loop choices only (Parameter::decides). A layout that
// was pushed out comes back only by a new time.
class BestLayouts : public BestPoints {
 public:
  BestLayouts(const Space& space, size_t capacity) : BestPoints(capacity) {
    for (const Parameter& parameter : space.parameters())
      is_loop_.push_back(parameter.decides == Decides::loops);
  }

  void add(const Point& point, double seconds) {
    const auto known = std::ranges::find_if(
        points_, [&](const MeasuredPoint& layout) { return have_one_layout(layout.point, point); });
    if (known != points_.end() && known->seconds <= seconds) return;
    if (known != points_.end()) points_.erase(known);
    BestPoints::add(point, seconds);
  }

  bool is_loop(size_t parameter) const { return is_loop_[parameter]; }

 private:
  bool have_one_layout(const Point& a, const Point& b) const {
    for (size_t k = 0; k < a.size(); ++k)
      if (!is_loop_[k] && a[k] != b[k]) return false;
    return true;
  }

  std::vector<bool> is_loop_;
};

inline std::vector<Point> points_of(const std::vector<MeasuredPoint>& measured) {
  std::vector<Point> points;
  for (const MeasuredPoint& one : measured) points.push_back(one.point);
  return points;
}

// Moves awaited points that were timed into `best`; no observed point is awaited any more.
inline void add_valid(std::span<const Observation> observations, AwaitedPoints& awaited,
                      BestPoints& best) {
  for (const Observation& observation : observations) {
    std::optional<AwaitedPoint> at = awaited.take(observation.trace);
    if (!at || observation.rejected || observation.status != Status::ok) continue;
    best.add(std::move(at->point), observation.seconds);
  }
}

}  // namespace dovetail
