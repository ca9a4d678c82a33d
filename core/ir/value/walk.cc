// SPDX-License-Identifier: Apache-2.0
#include "core/ir/value/walk.h"

#include <array>

namespace dovetail {

void for_each_node(const Value& value, const std::function<void(const Value&)>& visit) {
  for_each_operand(value, [&](const Value& operand) { for_each_node(operand, visit); });
  visit(value);
}

void for_each_load(const Value& value, const std::function<void(const Load&)>& visit) {
  for_each_node(value, [&](const Value& node) {
    if (const auto* load = node.as<Load>()) visit(*load);
  });
}

bool any_node(const Value& value, const std::function<bool(const Value&)>& holds) {
  bool found = holds(value);
  for_each_operand(value, [&](const Value& operand) { found = found || any_node(operand, holds); });
  return found;
}

namespace {

// The rewritten operands of a node, in their order; nullopt for an unchanged one.
using Operands = std::array<std::optional<Value>, 3>;

Value with_operands(const Value& value, Operands& changed) {
  size_t next = 0;
  const auto take = [&](const Value& operand) {
    std::optional<Value>& other = changed[next++];
    return other ? std::move(*other) : operand;
  };
  if (const auto* b = value.as<Binary>()) {
    Value left = take(b->left);
    return binary(b->op, std::move(left), take(b->right));
  }
  if (const auto* u = value.as<Unary>()) return unary(u->op, take(u->operand));
  if (const auto* s = value.as<Select>()) {
    Value then = take(s->then);
    return select(s->bounds, std::move(then), take(s->otherwise));
  }
  if (const auto* c = value.as<Choose>()) {
    Value condition = take(c->condition), then = take(c->then);
    return choose(std::move(condition), std::move(then), take(c->otherwise));
  }
  return cast(value.as<Cast>()->type, take(value.as<Cast>()->operand));
}

// The rewritten value; nullopt if it is unchanged.
std::optional<Value> changed(const Value& value, const Rewrite& rewrite) {
  Operands operands;
  size_t count = 0;
  bool any = false;
  for_each_operand(value, [&](const Value& operand) {
    operands[count] = changed(operand, rewrite);
    any = any || operands[count].has_value();
    ++count;
  });
  if (!any) return rewrite(value);
  Value node = with_operands(value, operands);
  std::optional<Value> again = rewrite(node);
  return again ? std::move(again) : std::optional<Value>(std::move(node));
}

}  // namespace

Value rebuilt(const Value& value, const Rewrite& rewrite) {
  std::optional<Value> result = changed(value, rewrite);
  return result ? std::move(*result) : value;
}

std::optional<Value> with_indices(const Value& node, const RewriteIndex& rewrite) {
  bool any = false;
  const auto change = [&](IndexExpr& e) {
    std::optional<IndexExpr> other = rewrite(e);
    if (!other) return;
    e = std::move(*other);
    any = true;
  };
  std::optional<Value> result;
  if (const auto* load = node.as<Load>()) {
    Load moved = *load;
    for (IndexExpr& e : moved.indices) change(e);
    if (any) result = std::move(moved);
  } else if (const auto* at = node.as<IndexValue>()) {
    IndexValue moved = *at;
    change(moved.index);
    if (any) result = std::move(moved);
  } else if (const auto* s = node.as<Select>()) {
    std::vector<Bound> bounds = s->bounds;
    for (Bound& bound : bounds) change(bound.expr);
    if (any) result = select(std::move(bounds), s->then, s->otherwise);
  }
  return result;
}

Value with_reads(const Value& value, const std::function<Value(int position)>& of,
                 const Value& reduced) {
  return rebuilt(value, [&](const Value& node) -> std::optional<Value> {
    if (const auto* read = node.as<ReadOf>()) return of(read->position);
    if (node.as<Reduced>() != nullptr) return reduced;
    return std::nullopt;
  });
}

bool is_zero(const Value& value) {
  if (const auto* constant = value.as<Constant>()) return constant->value == 0;
  if (const auto* at = value.as<IndexValue>()) return at->index == IndexExpr(0);
  const auto* b = value.as<Binary>();
  return b != nullptr && b->op == BinaryOp::mul && (is_zero(b->left) || is_zero(b->right));
}

}  // namespace dovetail
