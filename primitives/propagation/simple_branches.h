// SPDX-License-Identifier: Apache-2.0
//
// with_simple_branches: bounds and indices of a computation that joins tensors, said by as few of
// its axes as they can be.
//
//   Y[p,c,e] = select(0 <= c + 58*e < 58, A[p, c + 58*e], B[p, c + 58*e - 58])   c=58, e=2
//   ->
//   Y[p,c,e] = select(0 <= e < 1, A[p, c], B[p, c])
//
// A bound that ends where finer digits are 0 says nothing of these. Where it leaves an axis one
// value, that is what the axis is in the indices of what is read there.
//
// Why: axes of digits come out of whole ones, whose bounds and indices mention all of their digits.
// Loops over an axis that bounds speak of have no vectors, and an index that could be outside has
// to be asked.
#pragma once

#include "core/ir/operator/computation.h"

namespace dovetail {

Computation with_simple_branches(Computation computation);

}  // namespace dovetail
