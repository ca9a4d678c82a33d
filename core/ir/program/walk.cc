// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/walk.h"

#include <algorithm>
#include <iterator>

namespace dovetail {

bool is_over_work_items(const Loop& loop) {
  return loop.kind == LoopKind::bound && loop.thread >= ThreadAxis::thread_0;
}

void append(Block& block, Block more) { std::ranges::move(more, std::back_inserter(block)); }

void for_each_statement(const Block& block, const std::function<void(const Statement&)>& visit) {
  for (const Statement& statement : block) {
    visit(statement);
    if (const auto* loop = std::get_if<Loop>(&statement.node))
      for_each_statement(loop->body, visit);
  }
}

bool any_statement(const Block& block, const std::function<bool(const Statement&)>& holds) {
  return std::ranges::any_of(block, [&](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return holds(statement) || (loop != nullptr && any_statement(loop->body, holds));
  });
}

void for_each_store(const Block& block, const std::function<void(const Store&)>& visit) {
  for_each_statement(block, [&](const Statement& statement) {
    if (const auto* store = std::get_if<Store>(&statement.node)) visit(*store);
  });
}

const Store* tile_store(const Loop& unrolled) {
  const auto is_plain = [](const Loop& loop, LoopKind kind) {
    return loop.kind == kind && loop.body.size() == 1 && loop.bounds.empty() &&
           loop.prefetches.empty();
  };
  if (!is_plain(unrolled, LoopKind::unrolled)) return nullptr;
  const auto* lanes = std::get_if<Loop>(&unrolled.body[0].node);
  if (lanes == nullptr || !is_plain(*lanes, LoopKind::vectorized)) return nullptr;
  const auto* store = std::get_if<Store>(&lanes->body[0].node);
  return store != nullptr && !accumulates(*store) ? store : nullptr;
}

Uses uses_of(const Block& block) {
  Uses uses;
  const auto read = [&](const Load& load) { uses[load.buffer].read = true; };
  for_each_statement(block, [&](const Statement& statement) {
    if (const auto* loop = std::get_if<Loop>(&statement.node); loop != nullptr && loop->at)
      for_each_load(*loop->at, read);
    const auto* store = std::get_if<Store>(&statement.node);
    if (store == nullptr) return;
    Use& use = uses[store->target];
    use.written = true;
    use.read = use.read || accumulates(*store);
    for_each_load(store->value, read);
  });
  return uses;
}

}  // namespace dovetail
