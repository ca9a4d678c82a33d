// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/statement_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dovetail {

Value StatementTerms::read(WrittenRead read) {
  const auto known = std::ranges::find(statement_.reads, read);
  const auto position = static_cast<size_t>(known - statement_.reads.begin());
  if (known == statement_.reads.end()) statement_.reads.push_back(std::move(read));
  return read_of(position);
}

IndexExpr StatementTerms::gather(Value at, int64_t low, int64_t extent) {
  if (low != 0) at = types_.joined(BinaryOp::sub, std::move(at), static_cast<double>(low));
  if (types_.type_of(at) == ComputedType::real) at = cast(ComputedType::integer, std::move(at));
  GatherIndex index{"", extent, std::move(at)};
  for (const GatherIndex& known : statement_.gathers)
    if (known.extent == index.extent && known.value == index.value)
      return IndexExpr::variable(known.name) + IndexExpr(low);
  index.name = fmt::format("at{}", statement_.gathers.size());
  while (ranges_.contains(index.name)) index.name += "_";
  ranges_[index.name] = {0, index.extent - 1};
  statement_.gathers.push_back(index);
  return IndexExpr::variable(index.name) + IndexExpr(low);
}

std::optional<Value> StatementTerms::reduced(Reducer reducer, Value element) {
  const bool whole = types_.type_of(element) == ComputedType::integer;
  Value term = whole ? std::move(element) : types_.real(std::move(element));
  const bool is_first = statement_.reducer == Reducer::none;
  if (!is_first && !(statement_.reducer == reducer && statement_.element == term))
    return std::nullopt;
  statement_.reducer = reducer;
  statement_.element = std::move(term);
  return Value(Reduced{});
}

Value StatementTerms::casted(ElementType type, Value operand) const {
  const auto number = index_of(operand);
  if (type == ElementType::i64 && number && number->is_constant()) return IndexValue{*number};
  return cast(type, std::move(operand));
}

Value StatementTerms::called(UnaryOp op, Value operand) const {
  const bool whole = op == UnaryOp::abs && types_.type_of(operand) == ComputedType::integer;
  return unary(op, whole ? std::move(operand) : types_.real(std::move(operand)));
}

Value StatementTerms::quotient(Value left, Value right) const {
  types_.agree(left, right);
  return binary(BinaryOp::div, std::move(left), std::move(right));
}

Value StatementTerms::as_truth(Value value) const {
  if (types_.type_of(value) == ComputedType::boolean) return value;
  return cast(ComputedType::boolean, std::move(value));
}

void StatementTerms::compare(WrittenCondition& condition, BinaryOp op, const Value& left,
                             const Value& right) const {
  const auto a = index_of(left), b = index_of(right);
  if (a && b)
    condition.bounds.push_back(bound_of(op, *a, *b, ranges_));
  else
    add_truth(condition, types_.joined(op, left, right));
}

Value StatementTerms::selected(WrittenCondition condition, Value then, Value otherwise) const {
  types_.agree(then, otherwise);
  if (condition.truth) then = choose(*condition.truth, std::move(then), otherwise);
  return select(std::move(condition.bounds), std::move(then), std::move(otherwise));
}

WrittenStatement StatementTerms::finished(Value whole) && {
  const bool reduces = statement_.reducer != Reducer::none;
  (reduces ? statement_.result : statement_.element) = std::move(whole);
  return std::move(statement_);
}

}  // namespace dovetail
