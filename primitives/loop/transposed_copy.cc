// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/transposed_copy.h"

#include <algorithm>
#include <numeric>

#include "primitives/divisors.h"
#include "primitives/loop/loop_lookup.h"

namespace dovetail {
namespace {

// Digits of the source that are innermost in storage.
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

// Whole vectors where they divide the extent, else the most lanes that do.
int64_t tile_width(int64_t extent, int64_t lanes) {
  for (int64_t width = lanes; width >= lanes / 2 && width > 1; width /= 2) {
    if (extent % width == 0) return width;
  }
  return largest_divisor(extent, lanes);
}

// The loop along which neighbours of the source are neighbours, with the most lanes a tile may
// have.
struct Lanes {
  size_t loop = 0;
  int64_t width = 1;
};

std::optional<Lanes> lanes_of_source(const Stage& stage, const Layout& source, int64_t lanes) {
  const Innermost inner = innermost_of(source);
  if (inner.dim < 0) return std::nullopt;
  const IndexExpr& axis = stage.computation.reads[0].indices[static_cast<size_t>(inner.dim)];
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

// Loops with their extents, outermost first; the two of the tile leave them.
class TiledLoops {
 public:
  explicit TiledLoops(const Stage& stage) {
    for (const StageLoop& loop : stage.loops) outer_.emplace_back(loop.name, loop.extent);
  }

  // The loop, or its inner part, becomes the innermost; gives its name.
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

std::optional<std::vector<LoopPrimitive>> transposed_copy_loops(
    const Stage& stage, const std::vector<ScheduledTensor>& tensors, const Target& target) {
  if (stage.role != StageRole::copy || stage.attachment || !stage.computation.chosen.empty())
    return std::nullopt;
  const Layout& source = tensor_named(tensors, stage.computation.reads[0].tensor).layout;
  const std::optional<Lanes> lanes = lanes_of_source(stage, source, target.vector_lanes);
  const auto last = std::find_if(stage.loops.rbegin(), stage.loops.rend(),
                                 [](const StageLoop& loop) { return loop.extent > 1; });
  if (!lanes || lanes->width < 2 || last == stage.loops.rend()) return std::nullopt;
  const int64_t stored = tile_width(last->extent, target.vector_lanes);
  const StageLoop& read = stage.loops[lanes->loop];
  if (stored < 2 || read.name == last->name) return std::nullopt;
  TiledLoops loops(stage);
  loops.move_inside(last->name, stored);
  loops.move_inside(read.name, lanes->width);
  return loops.finish();
}

bool has_transposed_loops(const Stage& stage) {
  const size_t loops = stage.loops.size();
  return stage.role == StageRole::copy && !stage.attachment && loops >= 2 &&
         stage.loops[loops - 1].kind == LoopKind::vectorized &&
         stage.loops[loops - 2].kind == LoopKind::unrolled;
}

}  // namespace dovetail
