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

// True where each round's `read` is the copy that was `stored` in the round before.
bool follows(const IndexExpr& read, const IndexExpr& stored, const Loop& loop) {
  if (loop.extent > kMostRounds || !mentions_only(read, loop.variable) ||
      !mentions_only(stored, loop.variable))
    return false;
  for (int64_t round = 1; round < loop.extent; ++round)
    if (evaluate(read, {{loop.variable, round}}) != evaluate(stored, {{loop.variable, round - 1}}))
      return false;
  return true;
}

class StoreWalk {
 public:
  StoreWalk(const Loop& loop, const std::string& target, const IndexExpr& copy)
      : loop_(loop), target_(target), copy_(copy) {}

  std::optional<std::vector<Range>> hull(const Ranges& around) {
    visit(loop_.body, around);
    return hull_;
  }

 private:
  void visit(const Block& block, const Ranges& ranges) {
    for (const Statement& statement : block) {
      if (const auto* loop = std::get_if<Loop>(&statement.node)) {
        Ranges inside = ranges;
        inside[loop->variable] = {0, loop->extent - 1};
        if (loop->bounds.empty()) visit(loop->body, inside);
      } else if (const auto* store = std::get_if<Store>(&statement.node)) {
        if (store->target == target_ && !accumulates(*store) && !store->indices.empty() &&
            follows(copy_, store->indices[0], loop_))
          add(*store, ranges);
      }
    }
  }

  void add(const Store& store, const Ranges& ranges) {
    std::vector<Range> found;
    for (size_t d = 1; d < store.indices.size(); ++d) {
      const std::optional<Range> range = bounded_range(store.indices[d], ranges, {});
      if (!range) return;
      found.push_back(*range);
    }
    if (!hull_) {
      hull_ = std::move(found);
      return;
    }
    for (size_t d = 0; d < found.size(); ++d)
      (*hull_)[d] = {std::min((*hull_)[d].min, found[d].min),
                     std::max((*hull_)[d].max, found[d].max)};
  }

  const Loop& loop_;
  const std::string& target_;
  const IndexExpr& copy_;
  std::optional<std::vector<Range>> hull_;
};

}  // namespace

std::optional<std::vector<Range>> stored_for_next_round(const Loop& loop, const std::string& target,
                                                        const IndexExpr& copy,
                                                        const Ranges& around) {
  return StoreWalk(loop, target, copy).hull(around);
}

}  // namespace dovetail
