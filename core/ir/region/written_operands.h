// SPDX-License-Identifier: Apache-2.0
//
// OperandTypes: what the values of one written statement compute in, and how operands come to be of
// one type:
//
//   X[i] + k,  X real, k an axis   ->   add(read(0), real(k))
//
// WrittenCondition: the first operand of a written select, apart into what indices decide and what
// data decide:
//
//   0<=i-1 & i-1<5 & X[i]<Y[i]   ->   bounds {0 <= i-1 < 5}, truth less(read(0), read(1))
//
// They serve the parser of statements only.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/region/written_statement.h"

namespace dovetail {

// A whole number, or an index of axes: what counts without data.
std::optional<IndexExpr> index_of(const Value& value);

class OperandTypes {
 public:
  // `reads` may grow later; `element` is what is reduced, once it is known.
  OperandTypes(const TypesOfTensors& types, const std::vector<WrittenRead>& reads,
               const Value& element)
      : types_(types), reads_(reads), element_(element) {}

  ComputedType type_of(const Value& value) const;
  Value real(Value value) const;
  // The operation on operands of one type: real numbers where one of them is.
  Value joined(BinaryOp op, Value left, Value right) const;
  // Both of one type: integers and truths become real numbers where they meet one.
  void agree(Value& a, Value& b) const;

 private:
  const TypesOfTensors& types_;
  const std::vector<WrittenRead>& reads_;
  const Value& element_;
};

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
