// SPDX-License-Identifier: Apache-2.0
//
// The contiguous iterations that a clipped loop runs, as the start and end of a counter:
//
//     for kh in 0..3 where 0 <= h + kh - 1 < 56        h in [0, 55]
//     ->  from max(0, first…) to min(3, last…)         first {1 - h}, last {57 - h}, never empty
//
//     for kh in 0..3 where 0 <= h + 2*kh - 2 < 56
//     ->  first {(1 - h) div 2 + 1}, last {(1 - h) div 2 + 29}
//
// Used by the emitters, so that a clipped loop needs no test per iteration.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

struct LoopRange {
  int64_t start = 0, end = 0;          // constant limits: start <= iteration < end
  std::vector<IndexExpr> first, last;  // and first <= iteration < last for each of these
  bool may_be_empty = false;           // the enclosing loops' ranges do not rule it out
};

// `outer`: the ranges of the enclosing loops; limits that they imply are left out.
LoopRange loop_range(std::string_view variable, int64_t extent, const std::vector<Bound>& bounds,
                     const Ranges& outer);

}  // namespace dovetail
