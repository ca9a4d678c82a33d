// SPDX-License-Identifier: Apache-2.0
#include "core/ir/value/value.h"

#include <array>
#include <cmath>
#include <limits>

#include "core/base/check.h"

namespace dovetail {
namespace {

template <typename Node>
Value made(Node node) {
  return Value::Node(std::make_shared<const Node>(std::move(node)));
}

}  // namespace

bool operator==(const Value& a, const Value& b) {
  const auto same_as = [&]<typename Kind>(const Kind& x) {
    const auto* y = std::get_if<Kind>(&b.node_);
    if constexpr (requires { *x == *x; })
      return y != nullptr && (x == *y || *x == **y);
    else
      return y != nullptr && x == *y;
  };
  return std::visit(same_as, a.node_);
}

Value binary(BinaryOp op, Value left, Value right) {
  return made(Binary{op, std::move(left), std::move(right)});
}

Value unary(UnaryOp op, Value operand) { return made(Unary{op, std::move(operand)}); }

// Such a choice is simplified, because its type would be real even among integers.
static bool is_one_infinity(const Value& then, const Value& otherwise) {
  const auto* constant = then.as<Constant>();
  return constant != nullptr && std::isinf(constant->value) && then == otherwise;
}

Value select(std::vector<Bound> bounds, Value then, Value otherwise) {
  if (bounds.empty() || is_one_infinity(then, otherwise)) return then;
  return made(Select{std::move(bounds), std::move(then), std::move(otherwise)});
}

Value choose(Value condition, Value then, Value otherwise) {
  if (is_one_infinity(then, otherwise)) return then;
  return made(Choose{std::move(condition), std::move(then), std::move(otherwise)});
}

Value cast(ElementType type, Value operand) { return made(Cast{type, std::move(operand)}); }

Value as_stored(ElementType type, Value value) {
  const bool is_widest = type == widest_type(computed_type(type)) || type == ElementType::f64;
  return is_widest ? std::move(value) : cast(type, std::move(value));
}

bool is_comparison(BinaryOp op) {
  return op == BinaryOp::less || op == BinaryOp::less_equal || op == BinaryOp::equal;
}

double neutral(Reducer reducer) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array kNeutral = {0.0, 0.0, -kInfinity, kInfinity, 1.0};
  return kNeutral[static_cast<size_t>(reducer)];
}

double neutral(Reducer reducer, ElementType type) {
  const double number = neutral(reducer);
  if (computed_type(type) != ComputedType::integer || !std::isinf(number) ||
      type == ElementType::i64)
    return number;
  const double values = std::ldexp(1.0, 8 * static_cast<int>(bytes_of(type)));
  const double least = is_signed(type) ? -values / 2 : 0;
  return number < 0 ? least : least + values - 1;
}

ComputedType reduced_type(ComputedType element) {
  return element == ComputedType::integer ? element : ComputedType::real;
}

BinaryOp operation_of(Reducer reducer) {
  CHECK(reducer != Reducer::none, "a store that joins nothing");
  constexpr std::array kOperations = {BinaryOp::add, BinaryOp::max, BinaryOp::min, BinaryOp::mul};
  return kOperations[static_cast<size_t>(reducer) - 1];
}

}  // namespace dovetail
