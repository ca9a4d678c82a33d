// SPDX-License-Identifier: Apache-2.0
#include "core/ir/verifier/copies_in_turn.h"

#include <algorithm>

#include "core/ir/index/bounded_range.h"

namespace dovetail {
namespace {

constexpr int64_t kMostRounds = 4096;  // that are compared one by one

bool mentions_only(const IndexExpr& e, const std::string& variable) {
  return std::ranges::all_of(e.variables(),
                             [&](const std::string& name) { return name == variable; });
}

// True where each round's `read` is the copy that was `stored` so many rounds before.
bool follows(const IndexExpr& read, const IndexExpr& stored, int64_t ahead, const Loop& loop) {
  for (int64_t round = ahead; round < loop.extent; ++round)
    if (evaluate(read, {{loop.variable, round}}) !=
        evaluate(stored, {{loop.variable, round - ahead}}))
      return false;
  return true;
}

// By how many rounds `stored` is ahead; nullopt where it is by no constant number.
std::optional<int64_t> rounds_ahead(const IndexExpr& read, const IndexExpr& stored,
                                    const Loop& loop) {
  if (loop.extent > kMostRounds || !mentions_only(read, loop.variable) ||
      !mentions_only(stored, loop.variable))
    return std::nullopt;
  for (int64_t ahead = 1; ahead <= std::min(kMostBatchesLeft, loop.extent); ++ahead)
    if (follows(read, stored, ahead, loop)) return ahead;
  return std::nullopt;
}

class StoreWalk {
 public:
  StoreWalk(const Loop& loop, const std::string& target, const IndexExpr& copy)
      : loop_(loop), target_(target), copy_(copy) {}

  std::optional<StoredAhead> found(const Ranges& around) {
    visit(loop_.body, around);
    return found_;
  }

 private:
  void visit(const Block& block, const Ranges& ranges) {
    for (const Statement& statement : block) {
      if (const auto* loop = std::get_if<Loop>(&statement.node)) {
        Ranges inside = ranges;
        inside[loop->variable] = {0, loop->extent - 1};
        if (loop->bounds.empty()) visit(loop->body, inside);
      } else if (const auto* store = std::get_if<Store>(&statement.node)) {
        if (store->target != target_ || accumulates(*store) || store->indices.empty()) continue;
        if (const auto ahead = rounds_ahead(copy_, store->indices[0], loop_))
          add(*store, *ahead, ranges);
      }
    }
  }

  void add(const Store& store, int64_t ahead, const Ranges& ranges) {
    std::vector<Range> found;
    for (size_t d = 1; d < store.indices.size(); ++d) {
      const std::optional<Range> range = bounded_range(store.indices[d], ranges, {});
      if (!range) return;
      found.push_back(*range);
    }
    if (!found_) {
      found_ = {.rounds = ahead, .hull = std::move(found)};
      return;
    }
    found_->rounds = std::max(found_->rounds, ahead);
    for (size_t d = 0; d < found.size(); ++d)
      found_->hull[d] = {std::min(found_->hull[d].min, found[d].min),
                         std::max(found_->hull[d].max, found[d].max)};
  }

  const Loop& loop_;
  const std::string& target_;
  const IndexExpr& copy_;
  std::optional<StoredAhead> found_;
};

}  // namespace

std::optional<StoredAhead> stored_ahead(const Loop& loop, const std::string& target,
                                        const IndexExpr& copy, const Ranges& around) {
  return StoreWalk(loop, target, copy).found(around);
}

}  // namespace dovetail
