// SPDX-License-Identifier: Apache-2.0
//
// with_simple_branches: rewrites the bounds and indices of a concatenation with as few axes as
// possible.
//
//   Y[p,c,e] = select(0 <= c + 58*e < 58, A[p, c + 58*e], B[p, c + 58*e - 58])   c=58, e=2
//   ->
//   Y[p,c,e] = select(0 <= e < 1, A[p, c], B[p, c])
//
// A bound that ends where finer digits are 0 does not depend on them. Where a bound leaves an axis
// one value, that value replaces the axis in the indices of the reads under the bound.
//
// Why: when axes are split into digits, their bounds and indices mention all digits. Loops over an
// axis that bounds mention have no vectors, and an index that may be outside needs a check.
#pragma once

#include "core/ir/operator/computation.h"

namespace dovetail {

Computation with_simple_branches(Computation computation);

}  // namespace dovetail
