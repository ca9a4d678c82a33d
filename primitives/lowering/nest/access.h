// SPDX-License-Identifier: Apache-2.0
//
// Rewriting an access for a layout: logical indices over axes become physical indices over loops.
//
//   X[n, i, h + kh - 1, w + kw - 1]
//       with h = 4*h.0 + h.1, w = 14*w.0 + 7*w.1.0 + w.1.1, i = 16*i.0 + i.1
//   X.pad as [i@16:4] [n@1:1] [h@4:14] [w@14:4] [h@1:6] [w@1:16] [i@1:16] offset h=-1 w=-1
//   ->  X.pad[i.0, 0, h.0, w.0, h.1 + kh, 7*w.1.0 + w.1.1 + kw, i.1]
//
// Each dimension's digits, coarse to fine, take floor(rest / step) and leave the remainder; by
// ranges no division survives when layouts and loops cut at the same places, and one that does is
// an illegal trace, said with the axis and the cut. A digit that overlaps the finer ones (unfold)
// takes what the output's own loops contribute in multiples of its stride; the window's loops stay
// inside the tile.
// A dimension that leaves the stored range needs a bound: outside it the element is zero. So does a
// condition of the access that the loops do not fulfil by themselves.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

struct RewrittenAccess {
  std::vector<IndexExpr> indices;  // one per physical axis
  std::vector<Bound> bounds;       // all must hold, else the element is zero
  // A bound is implied where failing means that the indices themselves, if storage went on there,
  // name an element outside the tensor. Conditions of the access are not, nor are bounds whose
  // index is always 0 or counts several digits.
  std::vector<bool> implied;
};

Result<RewrittenAccess> rewrite_access(const Access& access, const ScheduledTensor& tensor,
                                       const Stage& stage);

// Neighbours along a loop lie so many elements apart: Σ coefficient · stride over the physical
// axes. It fails when that is not one number.
Result<int64_t> element_stride(const std::vector<IndexExpr>& indices,
                               const std::vector<int64_t>& extents, const std::string& loop);

// Whether storage around a tensor's elements can hold what an element beyond it is: no integer is
// infinite, and no byte is -1 of unsigned ones. Else reads ask where the tensor ends.
bool holds_outside(ElementType type, double outside);

}  // namespace dovetail
