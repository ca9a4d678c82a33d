// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/staged_copy.h"

#include <algorithm>
#include <numeric>

#include "primitives/divisors.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/space/machine_facts.h"

namespace dovetail::memory_bound {
namespace {

// Builds the loops of a staged copy.
class TileLoops {
 public:
  explicit TileLoops(const Stage& stage) : stage_(stage) {}

  // Splits the axis into tiles and returns the loop inside a tile.
  std::string cut(size_t axis, int64_t side) {
    const StageAxis& a = stage_.axes[axis];
    if (side == a.extent) return a.loop;
    groups_.push_back(a.loop + ".0");
    return split(a.loop, side);
  }

  std::string split(const std::string& loop, int64_t factor) {
    list_.emplace_back(loop::Split{loop, factor});
    return loop + ".1";
  }

  void over_groups(const std::string& loop) { groups_.push_back(loop); }

  // `row`: loop over adjacent work-items; `rows`: loop over rows, `elements` of them per work-item.
  std::vector<LoopPrimitive> build(const std::string& row, std::string rows, int64_t row_count,
                                   int64_t elements) {
    std::string unrolled;
    if (elements == row_count) {
      unrolled = std::exchange(rows, "");
    } else if (elements > 1) {
      unrolled = split(rows, elements);
      rows += ".0";
    }
    std::vector<std::string> order = groups_;
    for (const std::string& loop : {rows, row, unrolled})
      if (!loop.empty()) order.push_back(loop);
    list_.emplace_back(loop::Reorder{order});
    list_.emplace_back(loop::Bind{row, ThreadAxis::thread_0});
    if (!rows.empty()) list_.emplace_back(loop::Bind{rows, ThreadAxis::thread_1});
    if (!unrolled.empty()) list_.emplace_back(loop::Unroll{unrolled});
    const std::vector<std::string> groups = bind_loops(groups_, ThreadAxis::group_0, list_);
    list_.emplace_back(
        loop::CacheRead{stage_.copied, groups.empty() ? row : groups.back(), TileScope::local, 1});
    return std::move(list_);
  }

 private:
  const Stage& stage_;
  std::vector<LoopPrimitive> list_;
  std::vector<std::string> groups_;
};

// The most rows that `items` work-items can share equally, with at most `each` rows per item.
int64_t largest_height(int64_t extent, int64_t each, int64_t items) {
  int64_t largest = 1;
  for (const int64_t height : divisors(extent))
    if (height / std::gcd(height, each) <= items) largest = height;
  return largest;
}

}  // namespace

std::vector<int64_t> staged_tiles(int64_t extent, const Target& target) {
  const int64_t most =
      std::min({kMostTransposed, target.max_work_group_size, max_work_items(target, 0)});
  std::vector<int64_t> sides = divisors(extent);
  std::erase_if(sides, [&](int64_t side) { return side < kLeastTransposed || side > most; });
  return sides;
}

std::vector<LoopPrimitive> staged_copy_loops(const Stage& stage, const StageChoices& choices) {
  const VectorChoice vectors = choices.vectors(stage);
  const int64_t wide = choices.rows(stage), each = choices.side_by_side_of(stage);
  const int64_t items = std::max(choices.chosen_of(work_items(stage)), wide);
  const int64_t high = largest_height(stage.axes[*vectors.axis].extent, each, items / wide);
  TileLoops loops(stage);
  for (size_t a = 0; a < stage.axes.size(); ++a)
    if (a != *vectors.axis && a != *vectors.across) loops.over_groups(stage.axes[a].loop);
  const std::string rows = loops.cut(*vectors.axis, high);
  const std::string row = loops.cut(*vectors.across, wide);
  return loops.build(row, rows, high, std::gcd(high, each));
}

}  // namespace dovetail::memory_bound
