// SPDX-License-Identifier: Apache-2.0
#pragma once

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

#include <cstddef>
#include <vector>

#include "primitives/space/space.h"

namespace dovetail {

using Place = std::vector<double>;

class PointPlaces {
 public:
  explicit PointPlaces(const Space& space);

  Place place_of(const Point& point) const;
  // Of each coordinate, which parameter it is of, counted from 0 without those that have none.
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

}  // namespace dovetail
