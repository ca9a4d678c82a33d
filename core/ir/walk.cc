// SPDX-License-Identifier: Apache-2.0
#include "core/ir/walk.h"

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

Value rebuilt(const Value& value, const std::function<Value(const Value&)>& rewrite) {
  if (const auto* b = std::get_if<std::shared_ptr<const Binary>>(&value.node())) {
    return rewrite(binary((*b)->op, rebuilt((*b)->left, rewrite), rebuilt((*b)->right, rewrite)));
  }
  if (const auto* u = std::get_if<std::shared_ptr<const Unary>>(&value.node())) {
    return rewrite(unary((*u)->op, rebuilt((*u)->operand, rewrite)));
  }
  if (const auto* s = std::get_if<std::shared_ptr<const Select>>(&value.node())) {
    return rewrite(
        select((*s)->bounds, rebuilt((*s)->then, rewrite), rebuilt((*s)->otherwise, rewrite)));
  }
  return rewrite(value);
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
