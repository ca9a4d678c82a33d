// SPDX-License-Identifier: Apache-2.0
#include "core/ir/interpreter/phases.h"

#include <map>

#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

bool has_barrier(const Block& block) {
  return any_statement(block, [](const Statement& statement) {
    return std::holds_alternative<Barrier>(statement.node);
  });
}

class Phases {
 public:
  // The block under the loops over work-items, one phase after the other.
  Block split(const Block& block) {
    const auto widened_outside = widened_;
    Block result, phase;
    const auto end_phase = [&] {
      if (!phase.empty()) append(result, under_items(std::move(phase)));
      phase.clear();
    };
    for (const Statement& statement : block) {
      const auto* loop = std::get_if<Loop>(&statement.node);
      if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) {
        end_phase();
        Statement& declared = result.emplace_back();
        declared.node = widened(*tile);
      } else if (std::holds_alternative<Barrier>(statement.node)) {
        end_phase();
      } else if (loop != nullptr && has_barrier(loop->body)) {
        end_phase();
        append(result, around_barrier(*loop));
      } else {
        phase.push_back(rewritten(statement));
      }
    }
    end_phase();
    widened_ = widened_outside;
    return result;
  }

 private:
  Block around_barrier(const Loop& loop) {
    if (is_over_work_items(loop)) {
      items_.push_back(&loop);
      Block phases = split(loop.body);
      items_.pop_back();
      return phases;
    }
    Loop copy{loop.variable, loop.extent, loop.kind, loop.thread, split(loop.body)};
    Block result;
    result.push_back({std::move(copy)});
    return result;
  }

  ScopedTile widened(const ScopedTile& tile) {
    if (tile.scope == TileScope::local) return tile;
    ScopedTile result = tile;
    std::vector<IndexExpr>& items = widened_[tile.name];
    items.clear();
    result.extents.clear();
    for (const Loop* loop : items_) {
      items.push_back(IndexExpr::variable(loop->variable));
      result.extents.push_back(loop->extent);
    }
    result.extents.insert(result.extents.end(), tile.extents.begin(), tile.extents.end());
    return result;
  }

  Block under_items(Block inner) const {
    for (size_t l = items_.size(); l-- > 0;) {
      const Loop& item = *items_[l];
      Loop loop{item.variable, item.extent, item.kind, item.thread, std::move(inner)};
      inner = Block{};
      inner.push_back({std::move(loop)});
    }
    return inner;
  }

  Statement rewritten(const Statement& statement) const {
    Statement result = statement;
    if (auto* loop = std::get_if<Loop>(&result.node)) {
      if (loop->at) loop->at = rewritten(*loop->at);
      for (Statement& inner : loop->body) inner = rewritten(inner);
    } else if (auto* store = std::get_if<Store>(&result.node)) {
      store->indices = indices_of(store->target, store->indices);
      store->value = rewritten(store->value);
    }
    return result;
  }

  Value rewritten(const Value& value) const {
    return rebuilt(value, [&](const Value& node) -> std::optional<Value> {
      const auto* load = node.as<Load>();
      if (load == nullptr || !widened_.contains(load->buffer)) return std::nullopt;
      return Load{load->buffer, indices_of(load->buffer, load->indices)};
    });
  }

  std::vector<IndexExpr> indices_of(const std::string& name, std::vector<IndexExpr> indices) const {
    const auto items = widened_.find(name);
    if (items == widened_.end()) return indices;
    indices.insert(indices.begin(), items->second.begin(), items->second.end());
    return indices;
  }

  std::vector<const Loop*> items_;  // over work-items, around the block at hand
  // By tile: its first indices.
  std::map<std::string, std::vector<IndexExpr>, std::less<>> widened_;
};

}  // namespace

Kernel in_phases(const Kernel& kernel) {
  if (!has_barrier(kernel.body)) return kernel;
  return {kernel.name, Phases().split(kernel.body)};
}

}  // namespace dovetail
