// SPDX-License-Identifier: Apache-2.0
//
// The stretch of iterations that a clipped loop runs, as a counter's start and end:
//
//     for kh in 0..3 where 0 <= h + kh - 1 < 56        h in [0, 55]
//     ->  from max(0, first…) to min(3, last…)         first {1 - h}, last {57 - h}, never empty
//
//     for kh in 0..3 where 0 <= h + 2*kh - 2 < 56
//     ->  first {(1 - h) div 2 + 1}, last {(1 - h) div 2 + 29}
//
// The emitters use this: a loop that counts so needs no test per iteration.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

struct LoopRange {
  int64_t start = 0, end = 0;          // what is known: start <= iteration < end
  std::vector<IndexExpr> first, last;  // and first <= iteration < last for each of these
  bool may_be_empty = false;           // the ranges of the loops around it do not say
};

// `outer` are the ranges of the loops around; limits that they show to hold anyway are left out.
LoopRange loop_range(std::string_view variable, int64_t extent, const std::vector<Bound>& bounds,
                     const Ranges& outer);

}  // namespace dovetail
