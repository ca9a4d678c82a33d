// SPDX-License-Identifier: Apache-2.0
//
// A stage's loops over what it makes, one per physical axis of its output, and the value of each
// axis of its computation as a sum of digits of these loops:
//
//   Y[n=1, o=64, h=56] as [o@16:4 =o.0] [n@1:1] [h@1:56] [o@1:16 =o.1]
//   ->  loops o.0 n h o.1      o = 16*o.0 + o.1, n = n, h = h      stores [o.0, n, h, o.1]
//
// A stage that runs inside its reader makes a part only: its loops run over the part's extents, and
// the axes' values count from where the part starts.
#pragma once

#include <vector>

#include "core/ir/schedule/schedule.h"

namespace dovetail {

// The tensor's indices of an element from those of its storage:
//
//   Y[n=1, o=64, h=56] as [o@16:4] [n@1:1] [h@1:56] [o@1:16]
//   physical [o.0, 0, h, o.1]   ->   logical [0, 16*o.0 + o.1, h]
//
// Every expression is over variables that have a range in `ranges`. The first digit of an axis goes
// on beyond its extent where the index does.
std::vector<IndexExpr> logical_indices(const Layout& layout, const std::vector<IndexExpr>& physical,
                                       const Ranges& ranges);

// Reduction loops that the stage has stay, innermost.
Stage with_output_loops(const Stage& stage, const Layout& layout);

// Sets the values of the output's axes for this physical index of the element that is made.
void set_output_axes(const std::vector<IndexExpr>& physical, const Layout& layout, Stage& stage);

}  // namespace dovetail
