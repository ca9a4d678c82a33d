// SPDX-License-Identifier: Apache-2.0
//
// Points of a space for tests: random ones with every choice on that samples mostly leave off
// (layouts of two levels, stages inside loops), and ones that differ from the default in named
// parameters only.
//
//   const Trace busy = space.decode(busy_point(space, rng));
//   const Trace tiled =
//       space.decode(point_with(space, {{"register_tile.o", 32}, {"layout_levels.Y", 2}}));
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "primitives/space/space.h"

namespace dovetail::testing {

using NamedValues = std::map<std::string, int64_t>;  // by the names of parameters

inline Point busy_point(const Space& space, std::mt19937_64& rng) {
  Point point;
  for (const Parameter& parameter : space.parameters()) {
    const std::vector<int64_t> domain = parameter.domain(point);
    const size_t first = parameter.off_percent > 0 && domain.size() > 1 ? 1 : 0;
    point.push_back(domain[first + rng() % (domain.size() - first)]);
  }
  return point;
}

// A parameter that is not named takes the default's value, or the first where its domain lacks
// that.
inline Point point_with(const Space& space, const NamedValues& wanted) {
  Point point;
  for (const Parameter& parameter : space.parameters()) {
    const std::vector<int64_t> domain = parameter.domain(point);
    const auto it = wanted.find(parameter.name);
    const int64_t value = it == wanted.end() ? space.default_point()[point.size()] : it->second;
    const bool possible = std::ranges::find(domain, value) != domain.end();
    EXPECT_TRUE(possible || it == wanted.end()) << parameter.name << "=" << value;
    point.push_back(possible ? value : domain.front());
  }
  return point;
}

// It gives the domain of one parameter at such a point.
inline std::vector<int64_t> domain_at(const Space& space, const NamedValues& wanted,
                                      const std::string& name) {
  const Point point = point_with(space, wanted);
  for (size_t k = 0; k < point.size(); ++k) {
    if (space.parameters()[k].name == name) return space.parameters()[k].domain(point);
  }
  ADD_FAILURE() << "no parameter " << name;
  return {};
}

}  // namespace dovetail::testing
