// SPDX-License-Identifier: Apache-2.0
#include "core/ir/barriers.h"

#include <fmt/format.h>

#include <map>

namespace dovetail {
namespace {

// What has happened to a tile since the last barrier.
struct Since {
  bool stored = false, read = false;
  friend bool operator==(const Since&, const Since&) = default;
};
using State = std::map<std::string, Since, std::less<>>;  // of the local tiles

class BarrierWalk {
 public:
  Result<void> block(const Block& block) {
    for (const Statement& statement : block) {
      if (const auto* loop = std::get_if<Loop>(&statement.node)) {
        TRY(this->loop(*loop));
      } else if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) {
        if (tile->scope == TileScope::local) state_.try_emplace(tile->name);
      } else if (const auto* store = std::get_if<Store>(&statement.node)) {
        TRY(value(store->value));
        if (store->accumulate) TRY(read(store->target));
        TRY(this->store(store->target));
      } else {
        for (auto& [name, since] : state_) since = {};
      }
    }
    return {};
  }

 private:
  // A round starts with what the one before it has left. The second leaves what the first has left:
  // a body forgets what came before it or adds to it.
  Result<void> loop(const Loop& loop) {
    const State before = state_;
    TRY(block(loop.body));
    if (loop.extent == 1 || loop.kind == LoopKind::bound || state_ == before) return {};
    return block(loop.body);
  }

  Result<void> store(const std::string& name) {
    const auto tile = state_.find(name);
    if (tile == state_.end()) return {};
    if (tile->second.read)
      return fail(fmt::format("local tile {} is read and then stored to without a barrier", name));
    tile->second.stored = true;
    return {};
  }

  Result<void> read(const std::string& name) {
    const auto tile = state_.find(name);
    if (tile == state_.end()) return {};
    if (tile->second.stored)
      return fail(fmt::format("local tile {} is stored to and then read without a barrier", name));
    tile->second.read = true;
    return {};
  }

  Result<void> value(const Value& value) {
    if (const auto* load = std::get_if<Load>(&value.node())) return read(load->buffer);
    if (const auto* b = std::get_if<std::shared_ptr<const Binary>>(&value.node())) {
      TRY(this->value((*b)->left));
      return this->value((*b)->right);
    }
    if (const auto* u = std::get_if<std::shared_ptr<const Unary>>(&value.node()))
      return this->value((*u)->operand);
    if (const auto* s = std::get_if<std::shared_ptr<const Select>>(&value.node())) {
      TRY(this->value((*s)->then));
      return this->value((*s)->otherwise);
    }
    return {};
  }

  State state_;
};

bool has_local_tile(const Block& block) {
  for (const Statement& statement : block) {
    const auto* tile = std::get_if<ScopedTile>(&statement.node);
    if (tile != nullptr && tile->scope == TileScope::local) return true;
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop != nullptr && has_local_tile(loop->body)) return true;
  }
  return false;
}

}  // namespace

Result<void> check_barriers(const Kernel& kernel) {
  if (!has_local_tile(kernel.body)) return {};
  const Result<void> result = BarrierWalk().block(kernel.body);
  if (!result) return fail(fmt::format("kernel {}: {}", kernel.name, result.error().message));
  return {};
}

}  // namespace dovetail
