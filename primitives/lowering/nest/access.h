// SPDX-License-Identifier: Apache-2.0
//
// Rewriting an access for a layout: logical indices over axes become physical indices over loops.
//
//   X[n, i, h + kh - 1, w + kw - 1]
//       with h = 4*h.0 + h.1, w = 14*w.0 + 7*w.1.0 + w.1.1, i = 16*i.0 + i.1
//   X.pad as [i@16:4] [n@1:1] [h@4:14] [w@14:4] [h@1:6] [w@1:16] [i@1:16] offset h=-1 w=-1
//   ->  X.pad[i.0, 0, h.0, w.0, h.1 + kh, 7*w.1.0 + w.1.1 + kw, i.1]
//
// Each dimension's digits, coarse to fine, take floor(rest / step) and leave the remainder. Ranges
// remove all divisions when layouts and loops are split at the same places; one that remains is an
// illegal trace, and the error names the axis and the split. A digit that overlaps finer ones
// (unfold) takes the terms of the output's own loops that are multiples of its stride; the window's
// loops stay inside the tile. A dimension that leaves the stored range needs a bound, outside of
// which the element has the access's `outside` value; so does a condition of the access that the
// loops do not imply.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

struct RewrittenAccess {
  std::vector<IndexExpr> indices;  // one per physical axis
  std::vector<Bound> bounds;       // all must hold, else the element is Access::outside
  // By bound: whether indices that violate it would point outside the tensor if storage went on
  // there. Not so for conditions of the access, and for bounds whose index is always 0 or combines
  // several digits.
  std::vector<bool> implied;
};

Result<RewrittenAccess> rewrite_access(const Access& access, const ScheduledTensor& tensor,
                                       const Stage& stage);

// Whether storage of this type can hold the value of an element beyond a tensor: no integer is
// infinite, and no unsigned byte is -1. Otherwise reads need bounds checks.
bool holds_outside(ElementType type, double outside);

}  // namespace dovetail
