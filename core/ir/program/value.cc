// SPDX-License-Identifier: Apache-2.0
//
// Equality and construction of values and statements (core/ir/program/program.h).
#include "core/ir/program/program.h"

namespace dovetail {

bool operator==(const Value& a, const Value& b) {
  if (a.node_.index() != b.node_.index()) return false;
  if (const auto* x = std::get_if<Constant>(&a.node_)) return *x == std::get<Constant>(b.node_);
  if (const auto* x = std::get_if<Load>(&a.node_)) return *x == std::get<Load>(b.node_);
  if (const auto* x = std::get_if<std::shared_ptr<const Binary>>(&a.node_)) {
    const auto& y = std::get<std::shared_ptr<const Binary>>(b.node_);
    return *x == y || ((*x)->op == y->op && (*x)->left == y->left && (*x)->right == y->right);
  }
  if (const auto* x = std::get_if<std::shared_ptr<const Unary>>(&a.node_)) {
    const auto& y = std::get<std::shared_ptr<const Unary>>(b.node_);
    return *x == y || ((*x)->op == y->op && (*x)->operand == y->operand);
  }
  const auto& x = std::get<std::shared_ptr<const Select>>(a.node_);
  const auto& y = std::get<std::shared_ptr<const Select>>(b.node_);
  return x == y || (x->bounds == y->bounds && x->then == y->then && x->otherwise == y->otherwise);
}

Value binary(BinaryOp op, Value left, Value right) {
  return Value::Node(std::make_shared<const Binary>(Binary{op, std::move(left), std::move(right)}));
}

Value unary(UnaryOp op, Value operand) {
  return Value::Node(std::make_shared<const Unary>(Unary{op, std::move(operand)}));
}

Value select(std::vector<Bound> bounds, Value then, Value otherwise) {
  if (bounds.empty()) return then;
  return Value::Node(std::make_shared<const Select>(
      Select{std::move(bounds), std::move(then), std::move(otherwise)}));
}

bool operator==(const Loop& a, const Loop& b) {
  const bool same_thread = a.kind != LoopKind::bound || a.thread == b.thread;
  return a.variable == b.variable && a.extent == b.extent && a.kind == b.kind && same_thread &&
         a.body == b.body && a.bounds == b.bounds && a.prefetches == b.prefetches;
}

bool operator==(const ScopedTile& a, const ScopedTile& b) {
  return a.name == b.name && a.extents == b.extents && a.scope == b.scope;
}

bool operator==(const Store& a, const Store& b) {
  return a.target == b.target && a.indices == b.indices && a.accumulate == b.accumulate &&
         a.streaming == b.streaming && a.value == b.value;
}

bool operator==(const Statement& a, const Statement& b) { return a.node == b.node; }

}  // namespace dovetail
