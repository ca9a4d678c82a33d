// SPDX-License-Identifier: Apache-2.0
#pragma once

// A hand-written space of a small matrix product, for tests of searches: 4 x 5 x 2 points, some of
// which decode to the same trace (a split by 1 vanishes) and those with tile.m = 3 are illegal.

#include "primitives/space/space.h"

namespace dovetail::testing {

struct SmallSpaceOptions {
  bool with_illegal = false;  // tile.m may be 3, which does not divide 8
};

Space small_space(const SmallSpaceOptions& options = {});
// Every trace of it illegal.
Space illegal_space();
// Larger: some thousand points.
Space larger_space();
// With domains that depend on earlier values, a named choice, and a parameter that is one only with
// it and mostly off:
//
//   tile.m 1 2 4 8    tile.k divisors of 8/tile.m    threads off on    tile.n 1 2 4 8 (on), 1 (off)
Space conditional_space();

}  // namespace dovetail::testing
