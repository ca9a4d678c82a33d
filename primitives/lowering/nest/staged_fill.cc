// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/staged_fill.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace dovetail {
namespace {

// Elements that the block stores to the tile; nullopt where it is not plain.
std::optional<int64_t> stored_elements(const Block& block, const std::string& tile) {
  int64_t elements = 0;
  for (const Statement& statement : block) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      const bool is_plain = loop->kind != LoopKind::bound && loop->kind != LoopKind::parallel &&
                            loop->bounds.empty() && !loop->at && loop->intrinsic.empty();
      const std::optional<int64_t> inside =
          is_plain ? stored_elements(loop->body, tile) : std::nullopt;
      if (!inside || *inside * loop->extent > kMostStagedElements) return std::nullopt;
      elements += *inside * loop->extent;
    } else {
      const auto* store = std::get_if<Store>(&statement.node);
      if (store == nullptr || store->target != tile || accumulates(*store)) return std::nullopt;
      ++elements;
    }
  }
  return elements;
}

// One half of the fill. Loops are unrolled, so that each element has a register of its own.
class Half {
 public:
  Half(std::string tile, ElementType type, bool loads)
      : tile_(std::move(tile)), type_(type), loads_(loads) {}

  Block of(const Block& fill) {
    Block nest = rewritten(fill);
    Block result = std::move(registers_);
    result.insert(result.end(), nest.begin(), nest.end());
    return result;
  }

 private:
  Block rewritten(const Block& block) {
    Block result;
    for (const Statement& statement : block) {
      if (const auto* loop = std::get_if<Loop>(&statement.node)) {
        Loop copy = *loop;
        if (copy.kind == LoopKind::serial) copy.kind = LoopKind::unrolled;
        around_.push_back(loop);
        copy.body = rewritten(loop->body);
        around_.pop_back();
        result.push_back({std::move(copy)});
      } else {
        result.push_back({rewritten(std::get<Store>(statement.node))});
      }
    }
    return result;
  }

  Store rewritten(const Store& store) {
    const std::string name =
        count_ == 0 ? tile_ + ".next" : fmt::format("{}.next.{}", tile_, count_);
    ++count_;
    ScopedTile registers{name, {}, TileScope::registers, type_};
    std::vector<IndexExpr> indices;
    for (const Loop* loop : around_) {
      registers.extents.push_back(loop->extent);
      indices.push_back(IndexExpr::variable(loop->variable));
    }
    if (around_.empty()) registers.extents = {1}, indices = {IndexExpr(0)};
    if (loads_) registers_.push_back({std::move(registers)});
    return loads_ ? Store{name, std::move(indices), store.value}
                  : Store{store.target, store.indices, Load{name, std::move(indices)}};
  }

  const std::string tile_;
  const ElementType type_;
  const bool loads_;
  Block registers_;
  std::vector<const Loop*> around_;
  int count_ = 0;
};

}  // namespace

std::optional<StagedFill> through_registers(const Block& fill, const std::string& tile,
                                            ElementType type) {
  const std::optional<int64_t> elements = stored_elements(fill, tile);
  if (!elements || *elements > kMostStagedElements) return std::nullopt;
  return StagedFill{Half(tile, type, true).of(fill), Half(tile, type, false).of(fill)};
}

}  // namespace dovetail
