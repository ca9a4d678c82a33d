// SPDX-License-Identifier: Apache-2.0
//
// StatementTerms: the terms of one statement in normal form: every read once, booleans reduced as
// real numbers, comparisons of indices as bounds, operands of one type.
//
//   max(X[i], X[i]) + clamp(I[i],0,4)   ->   reads {X[i], I[i]}, chosen {at0 = I[i]}
//
// Why apart from the parser: a statement that a pass made gets the same form without a text.
// Used by the parser of statements and by normalised (core/ir/region/normal_region.h) only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/region/written_operands.h"

namespace dovetail {

class StatementTerms {
 public:
  StatementTerms(const Ranges& axes, const TypesOfTensors& types)
      : ranges_(axes), types_(types, statement_.reads, statement_.element) {}
  StatementTerms(const StatementTerms&) = delete;  // types_ refers to statement_
  StatementTerms& operator=(const StatementTerms&) = delete;

  const Ranges& ranges() const { return ranges_; }  // axes and gather indices
  const OperandTypes& types() const { return types_; }
  WrittenStatement& statement() { return statement_; }

  Value read(WrittenRead read);
  // lo plus a GatherIndex of the extent.
  IndexExpr gather(Value at, int64_t low, int64_t extent);
  // Booleans are reduced as real numbers, which count exactly up to 2^24. The same reduction may be
  // repeated, because a result that reads it twice prints it twice; nullopt for a second one.
  std::optional<Value> reduced(Reducer reducer, Value element);
  Value casted(ElementType type, Value operand) const;
  Value called(UnaryOp op, Value operand) const;
  // Divides integers, rounding towards zero; `/` divides real numbers.
  Value quotient(Value left, Value right) const;
  Value as_truth(Value value) const;
  void compare(WrittenCondition& condition, BinaryOp op, const Value& left,
               const Value& right) const;
  Value selected(WrittenCondition condition, Value then, Value otherwise) const;
  // Completes the statement, whose value is `whole`.
  WrittenStatement finished(Value whole) &&;

 private:
  Ranges ranges_;
  WrittenStatement statement_;
  OperandTypes types_;
};

}  // namespace dovetail
