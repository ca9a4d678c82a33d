// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/barriers.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/fail.h"
#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

// First indices of the accesses to a tile since the last barrier; nullopt for one that differs
// between work-items. Different first indices select different copies, which do not alias.
using Places = std::vector<std::optional<IndexExpr>>;
struct Since {
  Places stored, read;
  friend bool operator==(const Since&, const Since&) = default;
};
using State = std::map<std::string, Since, std::less<>>;  // by local tile

void add(Places& places, const std::optional<IndexExpr>& place) {
  if (std::ranges::find(places, place) == places.end()) places.push_back(place);
}

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
        if (accumulates(*store)) TRY(access(store->target, store->indices, false));
        TRY(access(store->target, store->indices, true));
      } else {
        for (auto& [name, since] : state_) since = {};
      }
    }
    return {};
  }

 private:
  // An iteration starts with the state that the previous one leaves. Two are enough: the second
  // leaves the same state as the first, because a body either clears the accesses or adds to them.
  Result<void> loop(const Loop& loop) {
    if (loop.at) TRY(value(*loop.at));
    const State before = state_;
    TRY(round(loop));
    if (loop.extent == 1 || loop.at || loop.kind == LoopKind::bound || state_ == before) return {};
    return round(loop);
  }

  Result<void> round(const Loop& loop) {
    if (!is_over_work_items(loop)) ranges_[loop.variable] = {0, loop.extent - 1};
    TRY(block(loop.body));
    ranges_.erase(loop.variable);
    for (auto& [name, since] : state_) {
      forget(since.stored, loop.variable);
      forget(since.read, loop.variable);
    }
    return {};
  }

  // The variable now means another iteration, so a place that mentions it becomes unknown.
  static void forget(Places& places, const std::string& variable) {
    Places kept;
    for (const auto& place : places)
      add(kept, place && place->mentions(variable) ? std::nullopt : place);
    places = std::move(kept);
  }

  std::optional<IndexExpr> place_of(const std::vector<IndexExpr>& indices) const {
    if (indices.empty()) return std::nullopt;
    for (const std::string& name : indices[0].variables())
      if (!ranges_.contains(name)) return std::nullopt;
    return indices[0];
  }

  bool meets(const Places& places, const std::optional<IndexExpr>& place) const {
    return std::ranges::any_of(places, [&](const auto& other) {
      return !place || !other || !always_differ(*place, *other);
    });
  }

  // Compares constants, or tries all values of a single variable of small range.
  bool always_differ(const IndexExpr& a, const IndexExpr& b) const {
    constexpr int64_t kMaxTried = 4096;
    const std::vector<std::string> names = (a - b).variables();
    if (names.size() > 1) return false;
    if (names.empty()) return (a - b).constant() != 0;
    const Range range = ranges_.find(names[0])->second;
    if (range.max > kMaxTried) return false;
    for (int64_t v = range.min; v <= range.max; ++v)
      if (evaluate(a - b, {{names[0], v}}) == 0) return false;
    return true;
  }

  Result<void> access(const std::string& name, const std::vector<IndexExpr>& indices, bool stores) {
    const auto tile = state_.find(name);
    if (tile == state_.end()) return {};
    Since& since = tile->second;
    const std::optional<IndexExpr> place = place_of(indices);
    if (meets(stores ? since.read : since.stored, place))
      return fail("local tile {} is {} without a barrier", name,
                  stores ? "read and then stored to" : "stored to and then read");
    add(stores ? since.stored : since.read, place);
    return {};
  }

  Result<void> value(const Value& value) {
    Result<void> result;
    for_each_load(value, [&](const Load& load) {
      if (result) result = access(load.buffer, load.indices, false);
    });
    return result;
  }

  State state_;
  Ranges ranges_;  // enclosing loops that all work-items run alike
};

}  // namespace

Result<void> check_barriers(const Kernel& kernel) {
  const bool shared = any_statement(kernel.body, [](const Statement& statement) {
    const auto* tile = std::get_if<ScopedTile>(&statement.node);
    return tile != nullptr && tile->scope == TileScope::local;
  });
  if (!shared) return {};
  const Result<void> result = BarrierWalk().block(kernel.body);
  if (!result) return fail("kernel {}: {}", kernel.name, result.error().message);
  return {};
}

}  // namespace dovetail
