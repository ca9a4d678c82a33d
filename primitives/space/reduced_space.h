// SPDX-License-Identifier: Apache-2.0
//
// Reduced space: a space with its domains cut down until every point of it can be measured.
//
//   register_tile.w   1 2 3 4 5 6 7   default 4        at most 3 values:  3 4 5
//   cache_tile.h      1 2 4 7 14 28   default 1        at most 2 values:  1 2
//   channel_tiles.X   before after    default before   at most 1 value:   before
//
// The rule: every parameter starts with one value, the default rule's or the nearest in its domain
// (by ratio; the first of named choices). Then domains are widened around it, a value at a time, in
// a fixed order, most influential kinds first (register tiles, layouts, unrolling, cache tiles,
// orders, …: the table in the .cc file), wherever the number of points stays within the limit,
// until nothing more fits.
//
// So it contains the default trace and its neighbourhood in all parameters, layouts and loops
// together. A point of it is a point of the whole space with the same trace, and any strategy can
// search it. Why smaller domains and not a random sample of points: neighbours stay neighbours, so
// that what a strategy learns about one parameter generalises.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "primitives/space/space.h"

namespace dovetail {

struct ReducedSpaceOptions {
  double least_points = 20'000;
  double most_points = 50'000;
};
// The reduced space has at most `points` points, and at least 20,000, or half of `points` where
// that is less.
ReducedSpaceOptions at_most(int64_t points);
// Fails when the reduced space has fewer than `least_points` points.
Result<Space> reduced_space(const Space& space, const ReducedSpaceOptions& options = {});

// At most `values` values of a domain, in its order: the wanted one, or the nearest to it, and its
// neighbours.
std::vector<int64_t> values_around(const std::vector<int64_t>& domain, int64_t wanted,
                                   size_t values, bool named);

}  // namespace dovetail
