// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/walk.h"

#include <algorithm>
#include <iterator>

namespace dovetail {

void for_each_node(const Value& value, const std::function<void(const Value&)>& visit) {
  if (const auto* b = std::get_if<std::shared_ptr<const Binary>>(&value.node())) {
    for_each_node((*b)->left, visit);
    for_each_node((*b)->right, visit);
  } else if (const auto* u = std::get_if<std::shared_ptr<const Unary>>(&value.node())) {
    for_each_node((*u)->operand, visit);
  } else if (const auto* s = std::get_if<std::shared_ptr<const Select>>(&value.node())) {
    for_each_node((*s)->then, visit);
    for_each_node((*s)->otherwise, visit);
  }
  visit(value);
}

void for_each_load(const Value& value, const std::function<void(const Load&)>& visit) {
  for_each_node(value, [&](const Value& node) {
    if (const auto* load = std::get_if<Load>(&node.node())) visit(*load);
  });
}

namespace {

// Nothing: as it was.
std::optional<Value> changed(const Value& value, const Rewrite& rewrite);

// The node over operands of which one is another now.
std::optional<Value> over(Value node, const Rewrite& rewrite) {
  std::optional<Value> again = rewrite(node);
  return again ? std::move(again) : std::optional<Value>(std::move(node));
}

std::optional<Value> changed(const Value& value, const Rewrite& rewrite) {
  if (const auto* b = std::get_if<std::shared_ptr<const Binary>>(&value.node())) {
    const Binary& node = **b;
    std::optional<Value> left = changed(node.left, rewrite), right = changed(node.right, rewrite);
    if (!left && !right) return rewrite(value);
    return over(binary(node.op, left ? std::move(*left) : node.left,
                       right ? std::move(*right) : node.right),
                rewrite);
  }
  if (const auto* u = std::get_if<std::shared_ptr<const Unary>>(&value.node())) {
    std::optional<Value> operand = changed((*u)->operand, rewrite);
    return operand ? over(unary((*u)->op, std::move(*operand)), rewrite) : rewrite(value);
  }
  if (const auto* s = std::get_if<std::shared_ptr<const Select>>(&value.node())) {
    const Select& node = **s;
    std::optional<Value> then = changed(node.then, rewrite),
                         otherwise = changed(node.otherwise, rewrite);
    if (!then && !otherwise) return rewrite(value);
    return over(select(node.bounds, then ? std::move(*then) : node.then,
                       otherwise ? std::move(*otherwise) : node.otherwise),
                rewrite);
  }
  return rewrite(value);
}

}  // namespace

Value rebuilt(const Value& value, const Rewrite& rewrite) {
  std::optional<Value> result = changed(value, rewrite);
  return result ? std::move(*result) : value;
}

bool is_zero(const Value& value) {
  if (const auto* constant = std::get_if<Constant>(&value.node())) return constant->value == 0;
  const auto* b = std::get_if<std::shared_ptr<const Binary>>(&value.node());
  return b != nullptr && (*b)->op == BinaryOp::mul && (is_zero((*b)->left) || is_zero((*b)->right));
}

bool is_over_work_items(const Loop& loop) {
  return loop.kind == LoopKind::bound && loop.thread >= ThreadAxis::thread_0;
}

void append(Block& block, Block more) { std::ranges::move(more, std::back_inserter(block)); }

}  // namespace dovetail
