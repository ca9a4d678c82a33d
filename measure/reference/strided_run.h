// SPDX-License-Identifier: Apache-2.0
#pragma once

// StridedRun: where the elements lie that an access reads while one axis advances.
//
//   X[i, w+s-1] of shape 64x56, along w for w = 0, 1, … 55, at i = 2, s = 0
//   begin 1, end 56      the first element is X[2, -1], outside the tensor
//   position 111, step 1  element k of the run is at 111 + k in row-major order
//
// A reference reads each element for many products. Index arithmetic per run and not per element
// makes that a strided loop.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dovetail {

// constant + sum over axes a of coefficients[a] * axis a
struct AffineIndex {
  int64_t constant = 0;
  std::vector<int64_t> coefficients = {};
};

struct StridedRun {
  int64_t begin = 0, end = 0;      // elements [begin, end) are in the tensor, the others outside
  int64_t position = 0, step = 0;  // element 0, whether it exists or not
};

// The run of `count` elements from the values `at` of the axes. There is an index for each of the
// tensor's extents.
StridedRun run_along(const std::vector<AffineIndex>& indices, const std::vector<int64_t>& extents,
                     const std::vector<int64_t>& at, size_t axis, int64_t count);

}  // namespace dovetail
