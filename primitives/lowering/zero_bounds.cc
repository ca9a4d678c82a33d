// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/zero_bounds.h"

#include <algorithm>

#include "core/ir/layout/layout.h"
#include "primitives/lowering/rewrite_block.h"

namespace dovetail {
namespace {

bool contains(const std::vector<Bound>& bounds, const Bound& bound) {
  return std::ranges::find(bounds, bound) != bounds.end();
}

bool reads_image(const Value& value, const Program& program) {
  const auto* load = value.as<Load>();
  const Buffer* buffer = load != nullptr ? find_buffer(program, load->buffer) : nullptr;
  return buffer != nullptr && is_texture(buffer->layout.scope);
}

void add_factor(const Value& value, const Program& program, std::vector<Bound>& bounds) {
  if (const auto* b = value.as<Binary>()) {
    if (b->op != BinaryOp::mul) return;
    add_factor(b->left, program, bounds);
    add_factor(b->right, program, bounds);
  } else if (const auto* s = value.as<Select>()) {
    const auto* otherwise = s->otherwise.as<Constant>();
    if (otherwise == nullptr || otherwise->value != 0 || reads_image(s->then, program)) return;
    for (const Bound& bound : s->bounds) {
      if (!contains(bounds, bound)) bounds.push_back(bound);
    }
    add_factor(s->then, program, bounds);
  }
}

}  // namespace

std::vector<Bound> zero_bounds(const Store& store, const Program& program) {
  std::vector<Bound> bounds;
  if (store.reducer == Reducer::sum) add_factor(store.value, program, bounds);
  // Where the bounds of a maximum fail, it is joined with what leaves it as it is.
  const auto* s = store.value.as<Select>();
  if (s == nullptr || store.reducer == Reducer::sum || !accumulates(store)) return bounds;
  const auto* otherwise = s->otherwise.as<Constant>();
  const bool neutral_there = otherwise != nullptr && otherwise->value == neutral(store.reducer);
  return neutral_there && !reads_image(s->then, program) ? s->bounds : bounds;
}

std::vector<Bound> common_zero_bounds(const Block& block, const Program& program) {
  std::vector<Bound> common;
  for (size_t k = 0; k < block.size(); ++k) {
    std::vector<Bound> own;
    if (const auto* loop = std::get_if<Loop>(&block[k].node))
      own = common_zero_bounds(loop->body, program);
    if (const auto* store = std::get_if<Store>(&block[k].node)) own = zero_bounds(*store, program);
    if (k == 0)
      common = std::move(own);
    else
      std::erase_if(common, [&](const Bound& bound) { return !contains(own, bound); });
  }
  return common;
}

std::vector<Bound> all_zero_bounds(const Block& block, const Program& program) {
  std::vector<Bound> all;
  for_each_store(block, [&](const Store& store) {
    for (Bound& bound : zero_bounds(store, program)) {
      if (!contains(all, bound)) all.push_back(std::move(bound));
    }
  });
  return all;
}

Block without_bound(Block block, const Bound& bound) {
  return with_stored_values(std::move(block), [&](const Value& node) -> std::optional<Value> {
    const auto* s = node.as<Select>();
    if (s == nullptr || !contains(s->bounds, bound)) return std::nullopt;
    std::vector<Bound> others = s->bounds;
    std::erase(others, bound);
    return select(std::move(others), s->then, s->otherwise);
  });
}

}  // namespace dovetail
