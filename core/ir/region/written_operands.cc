// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/written_operands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ir/value/walk.h"

namespace dovetail {

std::optional<IndexExpr> index_of(const Value& value) {
  if (const auto* at = value.as<IndexValue>()) return at->index;
  const auto* constant = value.as<Constant>();
  if (constant == nullptr || std::abs(constant->value) > 1e15 ||
      constant->value != std::floor(constant->value))
    return std::nullopt;
  return IndexExpr(static_cast<int64_t>(constant->value));
}

ComputedType OperandTypes::type_of(const Value& value) const {
  return dovetail::type_of(value, [&](const Value& leaf) {
    const auto* read = leaf.as<ReadOf>();
    if (read == nullptr) return reduced_type(type_of(element_));
    const auto type = types_.find(reads_[static_cast<size_t>(read->position)].tensor);
    return type == types_.end() ? ComputedType::real : computed_type(type->second);
  });
}

Value OperandTypes::real(Value value) const {
  if (value.as<Constant>() != nullptr || type_of(value) == ComputedType::real) return value;
  return cast(ComputedType::real, std::move(value));
}

Value OperandTypes::joined(BinaryOp op, Value left, Value right) const {
  const auto a = index_of(left), b = index_of(right);
  if (a && b && (left.as<IndexValue>() != nullptr || right.as<IndexValue>() != nullptr)) {
    if (op == BinaryOp::add) return IndexValue{*a + *b};
    if (op == BinaryOp::sub) return IndexValue{*a - *b};
    if (op == BinaryOp::mul && a->is_constant()) return IndexValue{*b * a->constant()};
    if (op == BinaryOp::mul && b->is_constant()) return IndexValue{*a * b->constant()};
  }
  if (op == BinaryOp::div || op == BinaryOp::pow)
    return binary(op, real(std::move(left)), real(std::move(right)));
  agree(left, right);
  return binary(op, std::move(left), std::move(right));
}

void OperandTypes::agree(Value& a, Value& b) const {
  const auto fits = [&](const Value& number, const Value& other) {
    const auto* constant = number.as<Constant>();
    return constant != nullptr &&
           (type_of(other) == ComputedType::real || constant->value == std::floor(constant->value));
  };
  if (fits(a, b) || fits(b, a)) return;
  if (a.as<Constant>() == nullptr && b.as<Constant>() == nullptr && type_of(a) == type_of(b))
    return;
  a = real(std::move(a));
  b = real(std::move(b));
}

void add_truth(WrittenCondition& condition, Value truth) {
  condition.truth = condition.truth ? binary(BinaryOp::min, *condition.truth, std::move(truth))
                                    : std::move(truth);
}

Bound bound_of(BinaryOp op, const IndexExpr& a, const IndexExpr& b, const Ranges& axes) {
  const bool from_below = a.is_constant() && !b.is_constant();
  const IndexExpr e = from_below ? b : b.is_constant() ? a : a - b;
  const int64_t limit = from_below ? a.constant() : b.is_constant() ? b.constant() : 0;
  const Range range = known_range(e, axes).value_or(Range{-kMaxSpecNumber, kMaxSpecNumber});
  if (op == BinaryOp::equal) return {e, limit, limit + 1};
  const int64_t open = op == BinaryOp::less ? 1 : 0;
  if (from_below) return {e, limit + open, std::max(range.max, limit + open) + 1};
  return {e, std::min(range.min, limit - open), limit + 1 - open};
}

void join_neighbours(std::vector<Bound>& bounds) {
  for (size_t k = 0; k + 1 < bounds.size();) {
    Bound& first = bounds[k];
    const Bound& next = bounds[k + 1];
    if (!(first.expr == next.expr)) {
      ++k;
      continue;
    }
    first.lower = std::max(first.lower, next.lower);
    first.upper = std::min(first.upper, next.upper);
    bounds.erase(bounds.begin() + static_cast<ptrdiff_t>(k) + 1);
  }
}

}  // namespace dovetail
