// SPDX-License-Identifier: Apache-2.0
//
// Reduced space: a space with its domains cut down until every point of it can be measured.
//
//   register_tile.w   1 2 3 4 5 6 7   default 4        at most 3 values:  3 4 5
//   cache_tile.h      1 2 4 7 14 28   default 1        at most 2 values:  1 2
//   channel_tiles.X   before after    default before   at most 1 value:   before
//
// The rule: every parameter begins with one value, the default rule's, or the nearest that its
// domain has (by ratio; of named choices the first). Then domains are opened in a fixed order, what
// decides times first (register tiles, layouts, unrolling, cache tiles, orders, …: the table in
// the .cc file), a value at a time beside the default's, each wherever the number of points
// stays within the limit; until nothing more fits.
//
// So the default trace is in it, and what is near it in all parameters, layouts and loops together;
// a point of it is a point of the whole space with the same trace, and any strategy searches it as
// it would the whole. Why cut domains and not a random sample of points: neighbours stay
// neighbours, so that what a strategy learns about one parameter holds for it.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "primitives/space/space.h"

namespace dovetail {

struct ReducedSpaceOptions {
  double least_points = 20'000;
  double most_points = 50'000;
};
// The reduced space has at most so many points, and at least 20,000, or half of them where that is
// less.
ReducedSpaceOptions at_most(int64_t points);
// It is an error when the space has fewer points than the least.
Result<Space> reduced_space(const Space& space, const ReducedSpaceOptions& options = {});

// It keeps at most `values` of a domain: the wanted one or the nearest to it, and those beside
// that, in the domain's order.
std::vector<int64_t> values_around(const std::vector<int64_t>& domain, int64_t wanted,
                                   size_t values, bool named);

}  // namespace dovetail
