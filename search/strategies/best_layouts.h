// SPDX-License-Identifier: Apache-2.0
#pragma once

// BestLayouts: of each layout the fastest point so far, of the fastest few layouts, best first:
// what a stage that explores loops alone goes on with.
//
//   BestLayouts layouts(space, /*capacity=*/3);
//   layouts.add(point, seconds);
//
// Two points have one layout where all but their loop choices are alike (Parameter::decides).
// A layout that was pushed out comes back only by a new time.

#include <algorithm>
#include <vector>

#include "search/strategies/points/best_points.h"

namespace dovetail {

class BestLayouts {
 public:
  BestLayouts(const Space& space, size_t capacity) : capacity_(capacity) {
    for (const Parameter& parameter : space.parameters())
      is_loop_.push_back(parameter.decides == Decides::loops);
  }

  void add(const Point& point, double seconds) {
    const auto known = std::ranges::find_if(
        points_, [&](const MeasuredPoint& layout) { return have_one_layout(layout.point, point); });
    if (known != points_.end() && known->seconds <= seconds) return;
    if (known != points_.end()) points_.erase(known);
    const auto at = std::ranges::upper_bound(points_, seconds, {}, &MeasuredPoint::seconds);
    points_.insert(at, {point, seconds});
    if (points_.size() > capacity_) points_.pop_back();
  }

  bool is_loop(size_t parameter) const { return is_loop_[parameter]; }
  bool empty() const { return points_.empty(); }
  const std::vector<MeasuredPoint>& points() const { return points_; }

 private:
  bool have_one_layout(const Point& a, const Point& b) const {
    for (size_t k = 0; k < a.size(); ++k) {
      if (!is_loop_[k] && a[k] != b[k]) return false;
    }
    return true;
  }

  size_t capacity_;
  std::vector<bool> is_loop_;
  std::vector<MeasuredPoint> points_;
};

}  // namespace dovetail
