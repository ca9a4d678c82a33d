// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/copy_loops.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "primitives/copy.h"
#include "primitives/divisors.h"
#include "primitives/initial_loops.h"
#include "primitives/loop/legal_loops.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/loop/shared_loops.h"

namespace dovetail {
namespace {

constexpr int64_t kCopyingItems = 256;  // by default in a group
constexpr int64_t kEnoughItems = 64;    // a unit's groups of these are all the work-items it holds
constexpr size_t kItemAxes = 3;

// Loops that are left to groups, and those bound to work-items, outermost first.
struct SharedCopy {
  Stage stage;
  size_t groups = 0;
  std::vector<std::string> items;
};

// Takes the innermost loop of those left to groups, or a part of it, for at most `room` work-items.
// Returns how many it has; 1: none was taken.
int64_t take_items(SharedCopy& copy, int64_t room, const Target& target) {
  if (room <= 1) return 1;
  const StageLoop loop = copy.stage.loops[copy.groups - 1];
  const int64_t items =
      largest_divisor(loop.extent, std::min(room, max_work_items(target, copy.items.size())));
  if (items == 1) return 1;
  if (items < loop.extent)
    copy.stage = with_legal_loops(copy.stage, {loop::Split{loop.name, items}});
  else
    --copy.groups;
  copy.items.insert(copy.items.begin(), items < loop.extent ? loop.name + ".1" : loop.name);
  return items;
}

int64_t groups_of(const SharedCopy& copy) {
  int64_t groups = 1;
  for (size_t l = 0; l < copy.groups; ++l) groups *= copy.stage.loops[l].extent;
  return groups;
}

// Binds the innermost of the first `count` loops to work-items, with the next ones or a part of
// them where they are few and each unit still gets a group, and those outside to groups. Only whole
// loops are fused, so that every index stays a plain digit of the fused loop.
Stage bound_copy(Stage stage, size_t count, const Target& target) {
  SharedCopy copy{.stage = std::move(stage), .groups = count, .items = {}};
  const int64_t most = std::min(kCopyingItems, target.max_work_group_size);
  int64_t items = 1, taken = take_items(copy, most, target);
  while (taken > 1 && copy.groups > 0 && copy.items.size() < kItemAxes) {
    items *= taken;
    if (copy.items.size() > 1 && items >= kEnoughItems) break;
    const int64_t spare = groups_of(copy) / std::max<int64_t>(target.compute_units, 1);
    taken = take_items(copy, std::min(most / items, spare), target);
  }
  for (size_t l = 1; l < copy.groups; ++l)
    copy.stage = with_legal_loops(copy.stage,
                                  {loop::Fuse{copy.stage.loops[0].name, copy.stage.loops[1].name}});
  std::vector<LoopPrimitive> binds;
  if (copy.groups > 0)
    binds.emplace_back(loop::Bind{copy.stage.loops[0].name, ThreadAxis::group_0});
  bind_loops(copy.items, ThreadAxis::thread_0, binds);
  return with_legal_loops(copy.stage, std::move(binds));
}

// Binds the outermost of the first `count` loops as they are, those that axes are left for.
Stage bound_apart(const Stage& stage, size_t count, const Target& target) {
  std::vector<std::string> groups;
  for (size_t l = 0; l < std::min<size_t>(3, count - 1); ++l) groups.push_back(stage.loops[l].name);
  std::vector<LoopPrimitive> binds;
  bind_loops(groups, ThreadAxis::group_0, binds);
  const StageLoop& items = stage.loops[groups.size()];
  if (items.extent <= std::min(kCopyingItems, max_work_items(target, 0)))
    binds.emplace_back(loop::Bind{items.name, ThreadAxis::thread_0});
  return with_legal_loops(stage, std::move(binds));
}

// The innermost digit of the source's storage.
struct Innermost {
  int dim = -1;
  int64_t extent = 1;
  bool is_whole = false;  // the only digit of its dimension
};

Innermost innermost_of(const Layout& layout) {
  Innermost result;
  for (const PhysicalAxis& axis : layout.axes) {
    for (const Digit& digit : axis.digits) {
      if (digit.extent == 1) continue;
      result = digit.step == 1 ? Innermost{digit.dim, digit.extent} : Innermost{};
    }
  }
  if (result.dim < 0) return result;
  int digits = 0;
  for (const DigitPlace& place : digits_of_dim(layout, result.dim))
    digits += place.digit.extent > 1 ? 1 : 0;
  result.is_whole = digits == 1;
  return result;
}

// A whole or half vector that divides the extent, else the largest divisor.
int64_t tile_width(int64_t extent, int64_t lanes) {
  for (int64_t width = lanes; width >= lanes / 2 && width > 1; width /= 2)
    if (extent % width == 0) return width;
  return largest_divisor(extent, lanes);
}

// The loop along which the source is contiguous, with the largest width of a tile.
struct Lanes {
  size_t loop = 0;
  int64_t width = 1;
};

std::optional<Lanes> lanes_of_source(const Stage& stage, const Layout& source, int64_t lanes) {
  const Innermost inner = innermost_of(source);
  if (inner.dim < 0) return std::nullopt;
  const IndexExpr& axis = stage.computation.reads[0].indices[static_cast<size_t>(inner.dim)];
  if (axis.terms().empty()) return std::nullopt;  // a constant index
  const auto value = stage.axis_values.find(axis.terms()[0].atom.variable);
  if (value == stage.axis_values.end()) return std::nullopt;
  for (size_t l = 0; l < stage.loops.size(); ++l) {
    const StageLoop& loop = stage.loops[l];
    if (loop.extent == 1 || value->second.coefficient(loop.name) != 1) continue;
    const int64_t room = inner.is_whole ? loop.extent : std::gcd(loop.extent, inner.extent);
    return Lanes{l, tile_width(room, lanes)};
  }
  return std::nullopt;
}

// Builds tiled loops: the loops, outermost first, of which the two of the tile move inside.
class TiledLoops {
 public:
  explicit TiledLoops(const Stage& stage) {
    for (const StageLoop& loop : stage.loops) outer_.emplace_back(loop.name, loop.extent);
  }

  // Makes the loop, or its inner part, the innermost; returns its name.
  std::string move_inside(const std::string& name, int64_t width) {
    const auto at = std::ranges::find(outer_, name, &NamedExtent::first);
    if (width == at->second) {
      outer_.erase(at);
      return inner_.emplace_back(name);
    }
    list_.push_back(loop::Split{name, width});
    *at = {name + ".0", at->second / width};
    return inner_.emplace_back(name + ".1");
  }

  std::vector<LoopPrimitive> finish() {
    loop::Reorder order;
    for (const auto& [name, extent] : outer_) order.loops.push_back(name);
    order.loops.insert(order.loops.end(), inner_.begin(), inner_.end());
    list_.push_back(std::move(order));
    list_.push_back(loop::Unroll{inner_[0]});
    list_.push_back(loop::Vectorize{inner_[1]});
    const auto shared =
        std::ranges::find_if(outer_, [](const NamedExtent& loop) { return loop.second > 1; });
    if (shared != outer_.end()) list_.push_back(loop::Parallel{shared->first});
    return std::move(list_);
  }

 private:
  using NamedExtent = std::pair<std::string, int64_t>;

  std::vector<LoopPrimitive> list_;
  std::vector<NamedExtent> outer_;
  std::vector<std::string> inner_;
};

}  // namespace

Stage looped_copy(const Stage& initial, const Target& target, bool vectorized, bool fused) {
  const int64_t extent = initial.loops.back().extent;
  const int64_t width = vectorized ? default_vector_width(extent, vector_lanes(target)) : 1;
  const Stage stage = vectorized_innermost(initial, width);
  const auto others = std::span(stage.loops).first(stage.loops.size() - (width > 1 ? 1 : 0));
  if (runs_work_groups(target))
    return others.empty() ? stage
           : fused        ? bound_copy(stage, others.size(), target)
                          : bound_apart(stage, others.size(), target);
  const auto shared =
      std::ranges::find_if(others, [](const StageLoop& loop) { return loop.extent > 1; });
  if (shared == others.end()) return stage;
  return with_legal_loops(stage, {loop::Parallel{shared->name}});
}

std::optional<std::vector<LoopPrimitive>> transposed_copy_loops(
    const Stage& stage, const std::vector<ScheduledTensor>& tensors, const Target& target) {
  if (stage.role != StageRole::copy || stage.attachment || !stage.computation.gathers.empty())
    return std::nullopt;
  const Layout& source = tensor_named(tensors, stage.computation.reads[0].tensor).layout;
  const std::optional<Lanes> lanes = lanes_of_source(stage, source, vector_lanes(target));
  const auto last = std::find_if(stage.loops.rbegin(), stage.loops.rend(),
                                 [](const StageLoop& loop) { return loop.extent > 1; });
  if (!lanes || lanes->width < 2 || last == stage.loops.rend()) return std::nullopt;
  const int64_t stored = tile_width(last->extent, vector_lanes(target));
  const StageLoop& read = stage.loops[lanes->loop];
  if (stored < 2 || read.name == last->name) return std::nullopt;
  TiledLoops loops(stage);
  loops.move_inside(last->name, stored);
  loops.move_inside(read.name, lanes->width);
  return loops.finish();
}

bool has_transposed_loops(const Stage& stage) {
  const size_t loops = stage.loops.size();
  return moves_elements(stage.computation) && !stage.attachment && loops >= 2 &&
         stage.loops[loops - 1].kind == LoopKind::vectorized &&
         stage.loops[loops - 2].kind == LoopKind::unrolled;
}

}  // namespace dovetail
