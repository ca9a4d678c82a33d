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
    for (size_t k = 0; k < a.size(); ++k) {
      if (!is_loop_[k] && a[k] != b[k]) return false;
    }
    return true;
  }

  std::vector<bool> is_loop_;
};

}  // namespace dovetail
