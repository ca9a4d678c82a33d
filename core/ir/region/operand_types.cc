// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/operand_types.h"

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
    if (read == nullptr) return ComputedType::real;
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

}  // namespace dovetail
