// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/rewrite_block.h"

#include <algorithm>

namespace dovetail {
namespace {

using Values = std::map<std::string, IndexExpr, std::less<>>;

void replace_in(std::vector<Bound>& bounds, const Values& values, const Ranges& ranges) {
  for (Bound& bound : bounds) bound.expr = substitute(bound.expr, values, ranges);
}

std::vector<IndexExpr> replaced(std::vector<IndexExpr> indices, const Values& values,
                                const Ranges& ranges) {
  for (IndexExpr& index : indices) index = substitute(index, values, ranges);
  return indices;
}

Value replaced(const Value& value, const Values& values, const Ranges& ranges) {
  return rebuilt(value, [&](const Value& node) -> Value {
    if (const auto* load = std::get_if<Load>(&node.node())) {
      return Load{load->buffer, replaced(load->indices, values, ranges)};
    }
    if (const auto* s = std::get_if<std::shared_ptr<const Select>>(&node.node())) {
      std::vector<Bound> bounds = (*s)->bounds;
      replace_in(bounds, values, ranges);
      return select(std::move(bounds), (*s)->then, (*s)->otherwise);
    }
    return node;
  });
}

Block replaced(const Block& block, const Values& values, const Ranges& ranges) {
  Block result = block;
  for (Statement& statement : result) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) {
      loop->body = replaced(loop->body, values, ranges);
      replace_in(loop->bounds, values, ranges);
      for (Prefetch& prefetch : loop->prefetches)
        prefetch.indices = replaced(std::move(prefetch.indices), values, ranges);
    } else if (auto* store = std::get_if<Store>(&statement.node)) {
      store->indices = replaced(store->indices, values, ranges);
      store->value = replaced(store->value, values, ranges);
    }
  }
  return result;
}

}  // namespace

Block with_variable(const Block& block, const std::string& variable, const IndexExpr& value,
                    const Ranges& ranges) {
  return replaced(block, {{variable, value}}, ranges);
}

Block with_first_index(const Block& block, const std::string& tile, const IndexExpr& first) {
  Block result = block;
  for (Statement& statement : result) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) {
      loop->body = with_first_index(loop->body, tile, first);
    } else if (auto* store = std::get_if<Store>(&statement.node)) {
      if (store->target == tile) store->indices.insert(store->indices.begin(), first);
      store->value = rebuilt(store->value, [&](const Value& node) -> Value {
        const auto* load = std::get_if<Load>(&node.node());
        if (load == nullptr || load->buffer != tile) return node;
        Load longer = *load;
        longer.indices.insert(longer.indices.begin(), first);
        return longer;
      });
    }
  }
  return result;
}

std::vector<Prefetch> with_variable(const std::vector<Prefetch>& prefetches,
                                    const std::string& variable, const IndexExpr& value) {
  std::vector<Prefetch> result = prefetches;
  for (Prefetch& prefetch : result)
    prefetch.indices = replaced(std::move(prefetch.indices), {{variable, value}}, {});
  return result;
}

Block with_variable_in_bounds(const Block& block, const std::string& variable,
                              const IndexExpr& value) {
  Block result = block;
  for (Statement& statement : result) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) {
      loop->body = with_variable_in_bounds(loop->body, variable, value);
    } else if (auto* store = std::get_if<Store>(&statement.node)) {
      store->value = rebuilt(store->value, [&](const Value& node) -> Value {
        const auto* s = std::get_if<std::shared_ptr<const Select>>(&node.node());
        if (s == nullptr) return node;
        std::vector<Bound> bounds = (*s)->bounds;
        replace_in(bounds, {{variable, value}}, {});
        return select(std::move(bounds), (*s)->then, (*s)->otherwise);
      });
    }
  }
  return result;
}

Value with_variables(const Value& value, const Values& values) {
  return replaced(value, values, {});
}

void for_each_bound(const Block& block, const std::function<void(const Bound&)>& visit) {
  for (const Statement& statement : block) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) for_each_bound(loop->body, visit);
    const auto* store = std::get_if<Store>(&statement.node);
    if (store == nullptr) continue;
    for_each_node(store->value, [&](const Value& node) {
      const auto* s = std::get_if<std::shared_ptr<const Select>>(&node.node());
      if (s == nullptr) return;
      for (const Bound& bound : (*s)->bounds) visit(bound);
    });
  }
}

Ranges inner_ranges(const Block& block) {
  Ranges ranges;
  for (const Statement& statement : block) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    ranges[loop->variable] = {0, loop->extent - 1};
    for (const auto& [name, range] : inner_ranges(loop->body)) ranges[name] = range;
  }
  return ranges;
}

bool declares_tile(const Block& block) {
  return std::ranges::any_of(block, [](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return loop != nullptr ? declares_tile(loop->body)
                           : std::holds_alternative<ScopedTile>(statement.node);
  });
}

}  // namespace dovetail
