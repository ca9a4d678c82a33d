// SPDX-License-Identifier: Apache-2.0
#pragma once

// AccessRegion: bounding box of the elements of one buffer or tile that an access touches when open
// loops are fixed and closed ones run: per storage axis, a range and a bound on its values.
//
//   X[h + kh, w.1], h open, kh in 0..3 and w.1 in 0..8 closed:
//       axis 0   h + [0, 2], 3 values       axis 1   [0, 7], 8 values        24 elements
//   and W[4*k] with k in 0..8 closed:  [0, 28], 8 values
//
// A box, not a set of elements: two accesses that open loops move alike are joined by minima and
// maxima, which is exact for the windows and tiles that lowering makes and costs a few additions. A
// division counts as linear: (h + kh) div 4 moves by 1/4 with h.

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ir/index/index_expression.h"

namespace dovetail {

inline constexpr double kCacheLineBytes = 64;

struct RegionAxis {
  double extent = 1;                          // size of the storage axis
  double low = 0, high = 0;                   // range of the index, with open loops at 0
  double count = 1;                           // distinct values, at most
  std::vector<std::pair<int, double>> terms;  // open loops, and their steps of the index
};

struct AccessRegion {
  int storage = 0;  // buffer or tile, by the caller's numbering
  double element_bytes = 4;
  double count = 1;  // distinct elements, at most
  std::vector<RegionAxis> axes;
};

// A loop around an access. Lists are outermost first; a variable names the innermost such loop.
struct OpenLoop {
  int loop = 0;
  std::string_view variable;
};

// The region of one access while all of `open` are open. `extents`: those of the storage's axes.
AccessRegion region_of(std::span<const IndexExpr> indices, std::span<const int64_t> extents,
                       std::span<const OpenLoop> open);
void close_loop(AccessRegion& region, int loop, double iterations);

// Merges `other` into `into` if both are in one storage and open loops move them alike; else false.
bool join(AccessRegion& into, const AccessRegion& other);

double distinct_elements(const AccessRegion& region);
// Bytes of the cache lines that hold the distinct elements.
double line_bytes(const AccessRegion& region);

// Stride of `loop`, in elements of the row-major storage.
double storage_stride(const AccessRegion& region, int loop);

}  // namespace dovetail
