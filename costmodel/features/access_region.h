// SPDX-License-Identifier: Apache-2.0
#pragma once

// AccessRegion: the elements of one buffer or tile that an access touches while some of the loops
// around it run, as a box: per axis of the storage a range, and at most so many values in it.
//
//   X[h + kh, w.1], h open, kh in 0..3 and w.1 in 0..8 closed:
//       axis 0   h + [0, 2], 3 values       axis 1   [0, 7], 8 values        24 elements
//   and W[4*k] with k in 0..8 closed:  [0, 28], 8 values
//
// Why boxes and not sets: two accesses at the same place of one storage are joined by taking
// minima and maxima, which is exact for the windows and tiles that lowering makes and costs a few
// additions. What an index divides is taken as its share: (h + kh) div 4 moves by 1/4 with h.

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ir/index/index_expression.h"

namespace dovetail {

inline constexpr double kCacheLineBytes = 64;

struct RegionAxis {
  double extent = 1;                          // of the storage's axis
  double low = 0, high = 0;                   // of the index, less what open loops add
  double count = 1;                           // distinct values, at most
  std::vector<std::pair<int, double>> terms;  // open loops, and what one count of them adds
};

struct AccessRegion {
  int storage = 0;  // whose elements; the caller numbers buffers and tiles
  double element_bytes = 4;
  double count = 1;  // distinct elements, at most
  std::vector<RegionAxis> axes;
};

// Loops around an access, outermost first; an index refers to the innermost one of its name.
struct OpenLoop {
  int loop = 0;
  std::string_view variable;
};

// All of `open` are open. `extents` are those of the storage's axes.
AccessRegion region_of(std::span<const IndexExpr> indices, std::span<const int64_t> extents,
                       std::span<const OpenLoop> open);
void close_loop(AccessRegion& region, int loop, double iterations);

// Takes `other` in when both are at the same place of one storage: open loops move them alike.
bool join(AccessRegion& into, const AccessRegion& other);

double distinct_elements(const AccessRegion& region);
// Bytes of the cache lines that hold them.
double line_bytes(const AccessRegion& region);

// Elements of the row-major storage from one count of `loop` to the next.
double storage_stride(const AccessRegion& region, int loop);

}  // namespace dovetail
