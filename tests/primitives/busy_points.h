// SPDX-License-Identifier: Apache-2.0
//
// A random point with whatever samples mostly leave off switched on: layouts of two levels, stages
// inside loops.
//
//   const Trace trace = space.decode(busy_point(space, rng));
#pragma once

#include <random>

#include "primitives/space/space.h"

namespace dovetail::testing {

inline Point busy_point(const Space& space, std::mt19937_64& rng) {
  Point point;
  for (const Parameter& parameter : space.parameters()) {
    const std::vector<int64_t> domain = parameter.domain(point);
    const size_t first = parameter.off_percent > 0 && domain.size() > 1 ? 1 : 0;
    point.push_back(domain[first + rng() % (domain.size() - first)]);
  }
  return point;
}

}  // namespace dovetail::testing
