// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/live_tiles.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

constexpr double kRegisterBytes = 4;

class LiveTiles {
 public:
  std::vector<double> at_each_store(const Block& block) {
    visit(block);
    std::vector<double> live(num_stores_, 0.0);
    for (const Tile& tile : tiles_)
      if (tile.used)
        for (size_t store = tile.used->first; store <= tile.used->last; ++store)
          live[store] += tile.registers;
    return live;
  }

 private:
  struct Span {
    size_t first = 0, last = 0;  // stores
  };
  struct Tile {
    double registers = 0;
    std::optional<Span> used = {};
  };

  void visit(const Block& block) {
    for (const Statement& statement : block) {
      if (const auto* loop = std::get_if<Loop>(&statement.node)) visit(*loop);
      if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) declare(*tile);
      if (const auto* store = std::get_if<Store>(&statement.node)) visit(*store);
    }
  }

  void visit(const Loop& loop) {
    const size_t outside = tiles_.size(), begin = num_stores_;
    visit(loop.body);
    for (size_t i = 0; i < outside; ++i) {
      std::optional<Span>& used = tiles_[i].used;
      if (used && used->last >= begin) used = Span{std::min(used->first, begin), num_stores_ - 1};
    }
  }

  void visit(const Store& store) {
    use(store.target);
    for_each_load(store.value, [this](const Load& load) { use(load.buffer); });
    ++num_stores_;
  }

  void declare(const ScopedTile& tile) {
    by_name_.erase(tile.name);
    if (tile.scope != TileScope::registers && tile.scope != TileScope::private_) return;
    const double each = std::max(1.0, static_cast<double>(bytes_of(tile.type)) / kRegisterBytes);
    by_name_[tile.name] = tiles_.size();
    tiles_.push_back({static_cast<double>(num_elements(tile.extents)) * each});
  }

  void use(const std::string& name) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return;
    std::optional<Span>& used = tiles_[found->second].used;
    used = Span{used ? used->first : num_stores_, num_stores_};
  }

  std::vector<Tile> tiles_;
  std::map<std::string, size_t> by_name_;  // the latest of each name
  size_t num_stores_ = 0;
};

}  // namespace

std::vector<double> live_tile_registers(const Block& block) {
  return LiveTiles().at_each_store(block);
}

}  // namespace dovetail
