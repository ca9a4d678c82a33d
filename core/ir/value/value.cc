// SPDX-License-Identifier: Apache-2.0
#include "core/ir/value/value.h"

#include <limits>

#include "core/base/check.h"

namespace dovetail {
namespace {

template <typename Node>
bool same(const Value& a, const Value& b) {
  const Node* x = a.as<Node>();
  const Node* y = b.as<Node>();
  return x == y || (x != nullptr && y != nullptr && *x == *y);
}

template <typename Node>
Value made(Node node) {
  return Value::Node(std::make_shared<const Node>(std::move(node)));
}

}  // namespace

bool operator==(const Value& a, const Value& b) {
  if (a.node_.index() != b.node_.index()) return false;
  return same<Constant>(a, b) && same<Load>(a, b) && same<ReadOf>(a, b) && same<Reduced>(a, b) &&
         same<IndexValue>(a, b) && same<Binary>(a, b) && same<Unary>(a, b) && same<Select>(a, b) &&
         same<Choose>(a, b) && same<Cast>(a, b);
}

Value binary(BinaryOp op, Value left, Value right) {
  return made(Binary{op, std::move(left), std::move(right)});
}

Value unary(UnaryOp op, Value operand) { return made(Unary{op, std::move(operand)}); }

Value select(std::vector<Bound> bounds, Value then, Value otherwise) {
  if (bounds.empty()) return then;
  return made(Select{std::move(bounds), std::move(then), std::move(otherwise)});
}

Value choose(Value condition, Value then, Value otherwise) {
  return made(Choose{std::move(condition), std::move(then), std::move(otherwise)});
}

Value cast(ComputedType type, Value operand) { return made(Cast{type, std::move(operand)}); }

bool is_comparison(BinaryOp op) {
  return op == BinaryOp::less || op == BinaryOp::less_equal || op == BinaryOp::equal;
}

double neutral(Reducer reducer) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (reducer) {
    case Reducer::none:
    case Reducer::sum:
      return 0;
    case Reducer::max:
      return -kInfinity;
    case Reducer::min:
      return kInfinity;
    case Reducer::prod:
      return 1;
  }
  return 0;
}

BinaryOp operation_of(Reducer reducer) {
  switch (reducer) {
    case Reducer::none:
      break;
    case Reducer::sum:
      return BinaryOp::add;
    case Reducer::max:
      return BinaryOp::max;
    case Reducer::min:
      return BinaryOp::min;
    case Reducer::prod:
      return BinaryOp::mul;
  }
  CHECK(false, "a store that joins nothing");
}

}  // namespace dovetail
