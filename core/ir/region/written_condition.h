// SPDX-License-Identifier: Apache-2.0
//
// WrittenCondition: the first operand of a written select, apart into what indices decide and what
// data decide:
//
//   0<=i-1 & i-1<5 & X[i]<Y[i]   ->   bounds {0 <= i-1 < 5}, truth less(read(0), read(1))
//
// Serves the parser of statements only.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/operator/computation.h"

namespace dovetail {

struct WrittenCondition {
  std::vector<Bound> bounds;
  std::optional<Value> truth;
};

void add_truth(WrittenCondition& condition, Value truth);

// The comparison of two indices, as lower <= e < upper with the axes in e.
Bound bound_of(BinaryOp op, const IndexExpr& a, const IndexExpr& b, const Ranges& axes);

// Neighbours become one bound where they are of one index: 0<=e and e<5.
void join_neighbours(std::vector<Bound>& bounds);

}  // namespace dovetail
