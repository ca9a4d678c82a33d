// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/barriers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/fail.h"
#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

// First index of an access to a tile since the last barrier; nullopt for one that differs between
// work-items. Different first indices select different copies, which do not alias. An asynchronous
// store stays on its way for as many barriers as leave it, and so does what an asynchronous
// instruction reads.
struct Place {
  std::optional<IndexExpr> index;
  bool async = false;
  int64_t barriers = 0;  // since the access
  friend bool operator==(const Place&, const Place&) = default;
};
using Places = std::vector<Place>;
struct Since {
  Places stored, read;
  friend bool operator==(const Since&, const Since&) = default;
};
using State = std::map<std::string, Since, std::less<>>;  // by local tile

void add(Places& places, const Place& place) {
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
        TRY(this->store(*store));
      } else {
        TRY(pass(std::get<Barrier>(statement.node)));
      }
    }
    return {};
  }

 private:
  Result<void> store(const Store& store) {
    TRY(value(store.value));
    if (store.async && (accumulates(store) || !state_.contains(store.target)))
      return fail("{} is stored to asynchronously, expected a plain store to a local tile",
                  store.target);
    if (accumulates(store)) TRY(access(store.target, store.indices, false));
    return access(store.target, store.indices, true, store.async);
  }

  Result<void> pass(const Barrier& barrier) {
    for (const int64_t left : {barrier.leaving, barrier.products})
      if (left < 0 || left > kMostBatchesLeft)
        return fail("a barrier leaves {} batches, expected 0 to {}", left, kMostBatchesLeft);
    for (auto& [name, since] : state_) {
      pass(since.read, barrier.products);
      pass(since.stored, barrier.leaving);
    }
    return {};
  }

  static void pass(Places& places, int64_t leaving) {
    std::erase_if(places,
                  [&](const Place& place) { return !place.async || place.barriers >= leaving; });
    for (Place& place : places) ++place.barriers;
  }

  Result<void> loop(const Loop& loop) {
    if (loop.at) TRY(value(*loop.at));
    const bool before =
        std::exchange(in_asynchronous_, in_asynchronous_ || is_asynchronous(loop.intrinsic));
    TRY(is_in_flight(loop) ? rounds_in_flight(loop) : rounds(loop));
    in_asynchronous_ = before;
    return {};
  }

  // An iteration starts with the state that the previous one leaves. Two are enough: the second
  // leaves the same state as the first, because a body either clears the accesses or adds to them.
  Result<void> rounds(const Loop& loop) {
    const bool is_once = loop.extent == 1 || loop.at || loop.kind == LoopKind::bound;
    const State before = state_;
    TRY(any_round(loop));
    return is_once || state_ == before ? Result<void>() : any_round(loop);
  }

  // Stores of one iteration arrive in a later one, or what it reads is read then, so that places
  // stay known: what mentions the
  // variable is of the iteration before. The first iterations are followed one by one, until
  // stores from before the loop have arrived, and all others at once.
  Result<void> rounds_in_flight(const Loop& loop) {
    const IndexExpr before = IndexExpr::variable(loop.variable) - IndexExpr(1);
    for (int64_t n = 0; n < loop.extent; ++n) {
      const State state = state_;
      const bool is_first = n < kMostBatchesLeft;
      TRY(round(loop, is_first ? Range{n, n} : Range{n, loop.extent - 1}));
      replace(loop.variable, before, {0, loop.extent - 1});
      if (!is_first && state_ == state) break;
    }
    replace(loop.variable, IndexExpr(loop.extent));
    return {};
  }

  static bool is_in_flight(const Loop& loop) {
    return loop.kind == LoopKind::serial && any_statement(loop.body, [](const Statement& inner) {
             const auto* barrier = std::get_if<Barrier>(&inner.node);
             return barrier != nullptr && (barrier->leaving > 0 || barrier->products > 0);
           });
  }

  // After it the variable means another iteration.
  Result<void> any_round(const Loop& loop) {
    TRY(round(loop, {0, loop.extent - 1}));
    replace(loop.variable, std::nullopt);
    return {};
  }

  Result<void> round(const Loop& loop, const Range& range) {
    if (!is_over_work_items(loop)) ranges_[loop.variable] = range;
    TRY(block(loop.body));
    ranges_.erase(loop.variable);
    return {};
  }

  // Puts a value in the variable's place; without one, a place that mentions it becomes unknown.
  void replace(const std::string& variable, const std::optional<IndexExpr>& value,
               const Range& range = {0, 0}) {
    Ranges ranges = ranges_;
    ranges[variable] = range;
    for (auto& [name, since] : state_)
      for (Places* places : {&since.stored, &since.read}) {
        Places kept;
        for (Place place : *places) {
          if (place.index && place.index->mentions(variable))
            place.index =
                value ? std::optional(substitute(*place.index, {{variable, *value}}, ranges))
                      : std::nullopt;
          add(kept, place);
        }
        *places = std::move(kept);
      }
  }

  std::optional<IndexExpr> place_of(const std::vector<IndexExpr>& indices) const {
    if (indices.empty()) return std::nullopt;
    for (const std::string& name : indices[0].variables())
      if (!ranges_.contains(name)) return std::nullopt;
    return indices[0];
  }

  bool meets(const Places& places, const std::optional<IndexExpr>& index) const {
    return std::ranges::any_of(places, [&](const Place& other) {
      return !index || !other.index || !always_differ(*index, *other.index);
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

  Result<void> access(const std::string& name, const std::vector<IndexExpr>& indices, bool stores,
                      bool async = false) {
    const auto tile = state_.find(name);
    if (tile == state_.end()) return {};
    Since& since = tile->second;
    const std::optional<IndexExpr> place = place_of(indices);
    if (meets(stores ? since.read : since.stored, place))
      return fail("local tile {} is {} without a barrier", name,
                  stores ? "read and then stored to" : "stored to and then read");
    add(stores ? since.stored : since.read,
        {.index = place, .async = stores ? async : in_asynchronous_});
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
  bool in_asynchronous_ = false;  // an instruction that runs on by itself
  Ranges ranges_;                 // enclosing loops that all work-items run alike
};

}  // namespace

Result<void> check_barriers(const Kernel& kernel) {
  const bool shared = any_statement(kernel.body, [](const Statement& statement) {
    const auto* tile = std::get_if<ScopedTile>(&statement.node);
    const auto* store = std::get_if<Store>(&statement.node);
    return (tile != nullptr && tile->scope == TileScope::local) ||
           (store != nullptr && store->async);
  });
  if (!shared) return {};
  const Result<void> result = BarrierWalk().block(kernel.body);
  if (!result) return fail("kernel {}: {}", kernel.name, result.error().message);
  return {};
}

}  // namespace dovetail
