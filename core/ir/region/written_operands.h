// SPDX-License-Identifier: Apache-2.0
//
// OperandTypes: infers the types of values in a written statement, and converts operands to a
// common type:
//
//   X[i] + k,  X real, k an axis   ->   add(read(0), real(k))
//
// WrittenCondition: the first operand of a written select, split into conditions on indices and a
// condition on data:
//
//   0<=i-1 & i-1<5 & X[i]<Y[i]   ->   bounds {0 <= i-1 < 5}, truth less(read(0), read(1))
//
// Used by the parser of statements only.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/region/written_statement.h"

namespace dovetail {

// The value as an index, if it is a whole number or an index of axes; nullopt otherwise.
std::optional<IndexExpr> index_of(const Value& value);

class OperandTypes {
 public:
  // `reads` may grow later; `element`: the reduced value, set once it is parsed.
  OperandTypes(const TypesOfTensors& types, const std::vector<WrittenRead>& reads,
               const Value& element)
      : types_(types), reads_(reads), element_(element) {}

  ComputedType type_of(const Value& value) const;
  Value real(Value value) const;
  // The operation on operands of one type (see agree); `/` and pow compute in real numbers, and
  // sums and multiples of indices stay indices.
  Value joined(BinaryOp op, Value left, Value right) const;
  // Converts operands of different types to real; a constant that fits takes the other one's type.
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

// The comparison of two indices as a bound, lower <= e < upper, with all axes in e.
Bound bound_of(BinaryOp op, const IndexExpr& a, const IndexExpr& b, const Ranges& axes);

// Merges adjacent bounds on the same index, 0<=e and e<5.
void join_neighbours(std::vector<Bound>& bounds);

}  // namespace dovetail
