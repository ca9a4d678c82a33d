// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/cropped_stores.h"

#include <algorithm>
#include <utility>

#include "primitives/loop/loop_lookup.h"

namespace dovetail {
namespace {

class StoreCropper {
 public:
  StoreCropper(const std::string& tensor, const std::vector<int64_t>& extents)
      : tensor_(tensor), extents_(extents) {}

  Block crop(Block block) {
    for (Statement& statement : block) {
      if (const Store* store = store_of(statement)) {
        statement = guarded(std::move(statement), bounds_of(*store));
      } else if (auto* loop = std::get_if<Loop>(&statement.node)) {
        ranges_[loop->variable] = {0, loop->extent - 1};
        loop->body = crop(std::move(loop->body));
      }
    }
    return block;
  }

 private:
  // The store of the tensor that the statement is, or all lanes of which it is.
  const Store* store_of(const Statement& statement) const {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      const bool is_vector = loop->kind == LoopKind::vectorized && loop->body.size() == 1;
      return is_vector ? store_of(loop->body[0]) : nullptr;
    }
    const auto* store = std::get_if<Store>(&statement.node);
    return store != nullptr && store->target == tensor_ ? store : nullptr;
  }

  std::vector<Bound> bounds_of(const Store& store) const {
    std::vector<Bound> bounds;
    for (size_t a = 0; a + 1 < extents_.size(); ++a) {
      const Bound bound{store.indices[a], 0, extents_[a]};
      if (!always_holds(bound, ranges_)) bounds.push_back(bound);
    }
    return bounds;
  }

  Statement guarded(Statement statement, std::vector<Bound> bounds) const {
    if (bounds.empty()) return statement;
    Loop there{.variable = tensor_ + ".there", .extent = 1, .body = {}};
    for (Bound& bound : bounds) bound.expr = bound.expr + IndexExpr::variable(there.variable);
    there.bounds = std::move(bounds);
    there.body.push_back(std::move(statement));
    return {std::move(there)};
  }

  const std::string& tensor_;
  const std::vector<int64_t>& extents_;
  Ranges ranges_;
};

}  // namespace

Block with_cropped_stores(Block block, const std::string& tensor,
                          const std::vector<int64_t>& extents) {
  return StoreCropper(tensor, extents).crop(std::move(block));
}

}  // namespace dovetail
