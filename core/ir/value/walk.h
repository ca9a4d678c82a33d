// SPDX-License-Identifier: Apache-2.0
//
// Traversals of values, shared by checks, passes and emitters.
//
//     max(acc[w] + bias[o], 0)   has the nodes   acc[w], bias[o], acc[w] + bias[o], 0, max(…)
//
// Why functions and not a visitor class: a traversal handles one or two kinds of nodes, which `as`
// selects in a lambda. Callers of `for_each_operand` need no change for a new kind of node.
#pragma once

#include <functional>
#include <optional>

#include "core/ir/value/value.h"

namespace dovetail {

// The operands of a node, left to right; a leaf has none. `visit` is any function of a Value.
template <typename Visit>
void for_each_operand(const Value& value, const Visit& visit) {
  if (const auto* b = value.as<Binary>()) {
    visit(b->left);
    visit(b->right);
  } else if (const auto* u = value.as<Unary>()) {
    visit(u->operand);
  } else if (const auto* s = value.as<Select>()) {
    visit(s->then);
    visit(s->otherwise);
  } else if (const auto* c = value.as<Choose>()) {
    visit(c->condition);
    visit(c->then);
    visit(c->otherwise);
  } else if (const auto* k = value.as<Cast>()) {
    visit(k->operand);
  }
}

// Visits each node after its operands; those of a select are `then` and `otherwise`.
void for_each_node(const Value& value, const std::function<void(const Value&)>& visit);
void for_each_load(const Value& value, const std::function<void(const Load&)>& visit);
bool any_node(const Value& value, const std::function<bool(const Value&)>& holds);

// Rebuilds a value bottom-up; `rewrite` gets each node after its operands, and returns nullopt to
// keep it. Unchanged subtrees are shared, not copied.
using Rewrite = std::function<std::optional<Value>(const Value&)>;
Value rebuilt(const Value& value, const Rewrite& rewrite);

// The node with its own indices (of a Load, of a Select's bounds, of an IndexValue) rewritten;
// nullopt if none of them changes.
using RewriteIndex = std::function<std::optional<IndexExpr>(const IndexExpr&)>;
std::optional<Value> with_indices(const Value& node, const RewriteIndex& rewrite);

// Replaces every read by `of` of its position, and `@` by `reduced`.
Value with_reads(const Value& value, const std::function<Value(int position)>& of,
                 const Value& reduced = Reduced{});

// True for the number 0 and for a product with it, which need not be computed.
bool is_zero(const Value& value);

}  // namespace dovetail
