// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/rewrite_block.h"

#include <algorithm>

namespace dovetail {
namespace {

void replace_in(std::vector<Bound>& bounds, const IndexValues& values, const Ranges& ranges) {
  for (Bound& bound : bounds) bound.expr = substitute(bound.expr, values, ranges);
}

void replace_in(std::vector<IndexExpr>& indices, const IndexValues& values, const Ranges& ranges) {
  for (IndexExpr& index : indices) index = substitute(index, values, ranges);
}

bool mentions_any(const IndexExpr& e, const IndexValues& values) {
  return std::ranges::any_of(values, [&](const auto& value) { return e.mentions(value.first); });
}

// Whether a substitution may change the index: divisions may become simpler by ranges alone.
bool may_change(const IndexExpr& e, const IndexValues& values) {
  return !e.is_affine() || mentions_any(e, values);
}

Value replaced(const Value& value, const IndexValues& values, const Ranges& ranges) {
  return rebuilt(value, [&](const Value& node) -> std::optional<Value> {
    return with_indices(node, [&](const IndexExpr& e) -> std::optional<IndexExpr> {
      if (!may_change(e, values)) return std::nullopt;
      return substitute(e, values, ranges);
    });
  });
}

Block replaced(Block block, const IndexValues& values, const Ranges& ranges) {
  for (Statement& statement : block) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) {
      loop->body = replaced(std::move(loop->body), values, ranges);
      replace_in(loop->bounds, values, ranges);
      if (loop->at) loop->at = replaced(*loop->at, values, ranges);
      for (Prefetch& prefetch : loop->prefetches) replace_in(prefetch.indices, values, ranges);
    } else if (auto* store = std::get_if<Store>(&statement.node)) {
      replace_in(store->indices, values, ranges);
      store->value = replaced(store->value, values, ranges);
    }
  }
  return block;
}

}  // namespace

Block with_stored_values(Block block, const Rewrite& rewrite) {
  for (Statement& statement : block) {
    if (auto* loop = std::get_if<Loop>(&statement.node))
      loop->body = with_stored_values(std::move(loop->body), rewrite);
    if (auto* store = std::get_if<Store>(&statement.node))
      store->value = rebuilt(store->value, rewrite);
  }
  return block;
}

Block with_variable(Block block, const std::string& variable, const IndexExpr& value,
                    const Ranges& ranges) {
  return replaced(std::move(block), {{variable, value}}, ranges);
}

Block with_first_index(Block block, const std::string& tile, const IndexExpr& first) {
  const auto longer = [&](const Value& value) {
    return rebuilt(value, [&](const Value& node) -> std::optional<Value> {
      const auto* load = node.as<Load>();
      if (load == nullptr || load->buffer != tile) return std::nullopt;
      Load result = *load;
      result.indices.insert(result.indices.begin(), first);
      return result;
    });
  };
  for (Statement& statement : block) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) {
      if (loop->at) loop->at = longer(*loop->at);
      loop->body = with_first_index(std::move(loop->body), tile, first);
    } else if (auto* store = std::get_if<Store>(&statement.node)) {
      if (store->target == tile) store->indices.insert(store->indices.begin(), first);
      store->value = longer(store->value);
    }
  }
  return block;
}

Loop piece_of(const Loop& loop, int64_t extent, const IndexExpr& at) {
  Loop piece = loop;
  piece.extent = extent;
  piece.body = with_variable(std::move(piece.body), loop.variable, at);
  for (Prefetch& prefetch : piece.prefetches)
    replace_in(prefetch.indices, {{loop.variable, at}}, {});
  return piece;
}

Block with_variable_in_bounds(Block block, const std::string& variable, const IndexExpr& value) {
  return with_stored_values(std::move(block), [&](const Value& node) -> std::optional<Value> {
    const auto* s = node.as<Select>();
    if (s == nullptr) return std::nullopt;
    std::vector<Bound> bounds = s->bounds;
    replace_in(bounds, {{variable, value}}, {});
    return select(std::move(bounds), s->then, s->otherwise);
  });
}

Value with_variables(const Value& value, const IndexValues& values) {
  return replaced(value, values, {});
}

void for_each_bound(const Block& block, const std::function<void(const Bound&)>& visit) {
  for_each_store(block, [&](const Store& store) {
    for_each_node(store.value, [&](const Value& node) {
      const auto* s = node.as<Select>();
      if (s == nullptr) return;
      for (const Bound& bound : s->bounds) visit(bound);
    });
  });
}

Ranges inner_ranges(const Block& block) {
  Ranges ranges;
  for_each_statement(block, [&](const Statement& statement) {
    if (const auto* loop = std::get_if<Loop>(&statement.node))
      ranges[loop->variable] = {0, loop->extent - 1};
  });
  return ranges;
}

bool declares_tile(const Block& block) {
  return any_statement(block, [](const Statement& statement) {
    return std::holds_alternative<ScopedTile>(statement.node);
  });
}

}  // namespace dovetail
