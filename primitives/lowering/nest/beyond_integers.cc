// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/beyond_integers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/check.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_infinite(const Value& value) {
  const auto* constant = value.as<Constant>();
  return constant != nullptr && std::isinf(constant->value);
}

bool is_negative(const Value& infinite) { return infinite.as<Constant>()->value < 0; }

Value infinite(bool negative) { return negative ? -kInfinity : kInfinity; }

// A truth value, as a comparison: its type does not depend on the context.
Value truth(bool holds) { return binary(BinaryOp::less, 0.0, holds ? 1.0 : 0.0); }

// An integer, as an index: its type does not depend on the context.
Value whole(int64_t number) { return IndexValue{IndexExpr(number)}; }

// Whether the value is infinite, or a choice with infinite branches.
bool has_infinite_branches(const Value& value) {
  if (is_infinite(value)) return true;
  if (const auto* s = value.as<Select>())
    return has_infinite_branches(s->then) || has_infinite_branches(s->otherwise);
  const auto* c = value.as<Choose>();
  return c != nullptr && (has_infinite_branches(c->then) || has_infinite_branches(c->otherwise));
}

// Replaces choices by the same bounds with the branch that is taken if these hold, or do not.
Value where(const std::vector<Bound>& bounds, bool hold, const Value& value) {
  return rebuilt(value, [&](const Value& node) -> std::optional<Value> {
    const auto* s = node.as<Select>();
    if (s == nullptr || s->bounds != bounds) return std::nullopt;
    return hold ? s->then : s->otherwise;
  });
}

Value times(bool negative, const Value& factor) {
  if (is_infinite(factor)) return infinite(negative != is_negative(factor));
  if (const auto* number = factor.as<Constant>())
    return number->value == 0 ? whole(0) : infinite(negative != (number->value < 0));
  const Value of_none = choose(binary(BinaryOp::equal, factor, 0.0), whole(0), infinite(negative));
  return choose(binary(BinaryOp::less, factor, 0.0), infinite(!negative), of_none);
}

// Infinity over an integer; 0 where the divisor is infinite, or 0 as with other integers.
Value over(bool negative, const Value& divisor) {
  return is_infinite(divisor) ? whole(0) : times(negative, divisor);
}

Value with_infinite_left(BinaryOp op, const Value& left, const Value& right) {
  const bool negative = is_negative(left);
  const bool same = is_infinite(right) && is_negative(right) == negative;
  switch (op) {
    case BinaryOp::add:
    case BinaryOp::sub: return left;
    case BinaryOp::mul: return times(negative, right);
    case BinaryOp::div: return over(negative, right);
    case BinaryOp::min: return negative ? left : right;
    case BinaryOp::max: return negative ? right : left;
    case BinaryOp::less: return truth(negative && !same);
    case BinaryOp::less_equal: return truth(negative || same);
    case BinaryOp::equal: return truth(same);
    case BinaryOp::pow: break;
  }
  CHECK(false, "no operation of integers");
}

Value with_infinite_right(BinaryOp op, const Value& left, const Value& right) {
  const bool negative = is_negative(right);
  switch (op) {
    case BinaryOp::sub: return infinite(!negative);
    case BinaryOp::div: return whole(0);
    case BinaryOp::less:
    case BinaryOp::less_equal: return truth(!negative);
    default: return with_infinite_left(op, right, left);  // either operand may be the first
  }
}

Value joined(BinaryOp op, const Value& left, const Value& right);

// Applies the operation in each branch of the operand; `inside` applies it to one branch.
template <typename Inside>
std::optional<Value> in_branches(const Value& operand, const Inside& inside) {
  if (!has_infinite_branches(operand)) return std::nullopt;
  const auto* s = operand.as<Select>();
  const auto* c = operand.as<Choose>();
  if (s == nullptr && c == nullptr) return std::nullopt;
  const std::vector<Bound>* bounds = s == nullptr ? nullptr : &s->bounds;
  const Value then = inside(s == nullptr ? c->then : s->then, bounds, true);
  const Value otherwise = inside(s == nullptr ? c->otherwise : s->otherwise, bounds, false);
  return s == nullptr ? choose(c->condition, then, otherwise) : select(*bounds, then, otherwise);
}

Value joined(BinaryOp op, const Value& left, const Value& right) {
  const auto of_left = [&](const Value& branch, const std::vector<Bound>* bounds, bool hold) {
    return joined(op, branch, bounds == nullptr ? right : where(*bounds, hold, right));
  };
  const auto of_right = [&](const Value& branch, const std::vector<Bound>* bounds, bool hold) {
    return joined(op, bounds == nullptr ? left : where(*bounds, hold, left), branch);
  };
  if (const std::optional<Value> result = in_branches(left, of_left)) return *result;
  // A sum with an infinite operand is infinite, whatever the other operand is.
  const bool decides = op == BinaryOp::add || op == BinaryOp::sub;
  if (is_infinite(left) && decides) return left;
  if (const std::optional<Value> result = in_branches(right, of_right)) return *result;
  if (is_infinite(left)) return with_infinite_left(op, left, right);
  return is_infinite(right) ? with_infinite_right(op, left, right) : binary(op, left, right);
}

Value magnitude(const Value& operand) {
  const auto of_branch = [](const Value& branch, const std::vector<Bound>*, bool) {
    return magnitude(branch);
  };
  if (const std::optional<Value> result = in_branches(operand, of_branch)) return *result;
  return is_infinite(operand) ? infinite(false) : unary(UnaryOp::abs, operand);
}

// Computes an operation on an infinity and a number, which nothing marks as integers; nullopt where
// the result is undefined.
std::optional<Value> computed(BinaryOp op, const Value& left, const Value& right) {
  const auto *a = left.as<Constant>(), *b = right.as<Constant>();
  if (a == nullptr || b == nullptr || (!is_infinite(left) && !is_infinite(right)))
    return std::nullopt;
  const auto number = [&]() -> double {
    switch (op) {
      case BinaryOp::add: return a->value + b->value;
      case BinaryOp::sub: return a->value - b->value;
      case BinaryOp::mul: return a->value * b->value;
      case BinaryOp::min: return std::min(a->value, b->value);
      case BinaryOp::max: return std::max(a->value, b->value);
      default: return std::numeric_limits<double>::quiet_NaN();
    }
  }();
  return std::isnan(number) ? std::nullopt : std::optional<Value>(number);
}

// Casts an infinity to the least or the greatest number of a narrower integer type.
Value as_type(ElementType type, const Value& operand) {
  const auto of_branch = [&](const Value& branch, const std::vector<Bound>*, bool) {
    return as_type(type, branch);
  };
  if (const std::optional<Value> result = in_branches(operand, of_branch)) return *result;
  if (!is_infinite(operand)) return cast(type, operand);
  if (computed_type(type) == ComputedType::real || type == ElementType::i64) return operand;
  if (type == ElementType::boolean) return truth(true);
  return whole(
      static_cast<int64_t>(neutral(is_negative(operand) ? Reducer::max : Reducer::min, type)));
}

class InfiniteIntegers {
 public:
  explicit InfiniteIntegers(const TypeOfLoad& type_of_load) : type_of_load_(type_of_load) {}

  Value of(const Value& value) const {
    if (const auto* b = value.as<Binary>()) {
      const Value left = of(b->left), right = of(b->right);
      if (const std::optional<Value> known = computed(b->op, left, right)) return *known;
      const bool of_integers = is_integer(b->left) || is_integer(b->right);
      return of_integers ? joined(b->op, left, right) : binary(b->op, left, right);
    }
    if (const auto* u = value.as<Unary>()) {
      const Value operand = of(u->operand);
      const bool is_magnitude =
          u->op == UnaryOp::abs && (is_integer(u->operand) || is_infinite(operand));
      return is_magnitude ? magnitude(operand) : unary(u->op, operand);
    }
    if (const auto* s = value.as<Select>()) return select(s->bounds, of(s->then), of(s->otherwise));
    if (const auto* c = value.as<Choose>())
      return choose(of(c->condition), of(c->then), of(c->otherwise));
    if (const auto* c = value.as<Cast>())
      return is_integer(c->operand) ? as_type(c->type, of(c->operand))
                                    : cast(c->type, of(c->operand));
    return value;
  }

 private:
  bool is_integer(const Value& value) const {
    return value.as<Constant>() == nullptr &&
           type_of(value, type_of_load_) == ComputedType::integer;
  }

  const TypeOfLoad& type_of_load_;
};

// Nothing marks two infinite branches as integers: they become the least and the greatest integer,
// as in storage.
Value stored_branches(const Value& value) {
  const auto* s = value.as<Select>();
  const auto* c = value.as<Choose>();
  if (s == nullptr && c == nullptr) return value;
  Value then = stored_branches(s == nullptr ? c->then : s->then);
  Value otherwise = stored_branches(s == nullptr ? c->otherwise : s->otherwise);
  if (is_infinite(then) && is_infinite(otherwise))
    for (Value* branch : {&then, &otherwise})
      *branch = whole(is_negative(*branch) ? std::numeric_limits<int64_t>::min()
                                           : std::numeric_limits<int64_t>::max());
  return s == nullptr ? choose(c->condition, then, otherwise) : select(s->bounds, then, otherwise);
}

}  // namespace

Value with_infinite_integers(const Value& value, const TypeOfLoad& type_of_load) {
  if (!any_node(value, is_infinite)) return value;
  const Value result = InfiniteIntegers(type_of_load).of(value);
  return type_of(value, type_of_load) == ComputedType::integer ? stored_branches(result) : result;
}

}  // namespace dovetail
