// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/random/random_traces.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/ir/operator/computation.h"
#include "core/ir/schedule/schedule.h"
#include "primitives/apply.h"
#include "primitives/divisors.h"
#include "primitives/layout/apply_layout.h"
#include "primitives/loop/apply_loop.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

class Draw {
 public:
  Draw(Region region, const Target& target, std::mt19937_64& rng)
      : region_(std::move(region)), target_(target), rng_(rng) {}

  Trace trace() {
    for (const NamedComputation& named : region_.computations) draw_layouts(named.computation);
    const Result<Schedule> schedule = apply(trace_, region_, target_);
    if (!schedule) return trace_;
    Schedule looped = *schedule;
    // Readers of a region come first, so that who runs inside one finds the loops that it has.
    if (!region_.op) std::ranges::reverse(looped.stages);
    for (Stage& stage : looped.stages) {
      const bool anchor = stage.name == schedule->anchor;
      if (!anchor && !one_in(region_.op ? 4 : 2)) continue;
      std::vector<LoopPrimitive> list = loops(stage);
      if (const Result<Stage> done = apply_all({stage.name, list}, stage)) stage = *done;
      if (!region_.op && stage.role == StageRole::computation) place(stage, looped, list);
      if (anchor || !list.empty()) trace_.loops.push_back({anchor ? "" : stage.name, list});
    }
    if (!region_.op) std::ranges::reverse(trace_.loops);
    return trace_;
  }

 private:
  void draw_layouts(const Computation& computation) {
    if (one_in(4) && !computation.reads.empty()) draw_tie(computation);
    for (const Tensor& tensor : computation.tensors) {
      if (one_in(3) && tied_.empty()) continue;
      if (!drawn_.insert(tensor.name).second) continue;
      trace_.layouts.push_back(layout(tensor, computation));
    }
  }

  // The stage runs apart, is inlined, or goes inside a loop of a stage that reads it or comes later
  // still.
  void place(const Stage& stage, const Schedule& schedule, std::vector<LoopPrimitive>& list) {
    if (one_in(3)) return;
    bool later = false;
    for (const Stage& host : schedule.stages | std::views::reverse) {
      const auto& reads = host.computation.reads;
      const std::string& made = stage.computation.output.tensor;
      const bool follows = std::exchange(later, later || host.name == stage.name);
      const bool is_reader = std::ranges::find(reads, made, &Access::tensor) != reads.end();
      if (!follows || (!is_reader && !one_in(3)) || (is_reader && one_in(4))) continue;
      if (one_in(4)) {
        list = {loop::Inline{}};
        return;
      }
      if (one_in(2)) list.clear();
      if (one_in(8)) list.insert(list.begin(), loop::Roll{any_loop(stage).name});
      list.insert(list.begin(), loop::ComputeAt{host.name, any_loop(host).name, any_scope()});
      return;
    }
  }

  TileScope any_scope() {
    if (one_in(20)) return static_cast<TileScope>(below(4));
    return one_in(3) ? TileScope::workspace : TileScope::private_;
  }

  int64_t below(int64_t n) { return static_cast<int64_t>(rng_() % static_cast<uint64_t>(n)); }
  bool one_in(int64_t n) { return below(n) == 0; }

  // The factor divides, or is now and then any number.
  int64_t factor_of(int64_t extent) {
    const std::vector<int64_t> all = divisors(extent);
    if (one_in(30) || all.size() < 2) return 1 + below(extent + 1);
    return all[static_cast<size_t>(1 + below(static_cast<int64_t>(all.size()) - 1))];
  }

  template <typename T>
  std::vector<T> shuffled(std::vector<T> items) {
    for (size_t k = items.size(); k > 1; --k)
      std::swap(items[k - 1], items[static_cast<size_t>(below(static_cast<int64_t>(k)))]);
    return items;
  }

  // Names in a random order; now and then only some of them.
  std::vector<std::string> permutation(std::vector<std::string> names) {
    names = shuffled(std::move(names));
    if (names.size() > 1 && one_in(3))
      names.resize(static_cast<size_t>(1 + below(static_cast<int64_t>(names.size()))));
    return names;
  }

  TensorLayout layout(const Tensor& tensor, const Computation& computation) {
    TensorLayout lines{tensor.name, {}, MemoryScope::global};
    Layout current = identity_layout(tensor.dims);
    const auto append = [&](LayoutPrimitive primitive) {
      const Result<Layout> next = dovetail::apply(primitive, current);
      if (!next && !one_in(10)) return;  // few of the illegal ones are kept
      lines.primitives.push_back(std::move(primitive));
      if (next) current = *next;
    };
    const std::vector<int64_t> pads = borders(tensor, computation);
    for (size_t j = 0; j < tensor.dims.size(); ++j) {
      if (pads[j] > 0 && one_in(2)) append(layout::Pad{tensor.dims[j].name, pads[j], pads[j]});
    }
    if (const auto tied = tied_.find(tensor.name); tied != tied_.end()) append(tied->second);
    const int64_t count = below(5);
    for (int64_t k = 0; k < count; ++k) append(layout_primitive(current, tensor));
    if (current.axes.back().extent() == 4 && one_in(target_.has_images ? 2 : 20))
      lines.scope = static_cast<MemoryScope>(below(4));
    return lines;
  }

  // Some output axis is tiled, and what its windows read of X is stored tile by tile.
  void draw_tie(const Computation& computation) {
    const Access& access = computation.reads[0];
    const auto dim = static_cast<size_t>(below(static_cast<int64_t>(access.indices.size())));
    for (const Axis& axis : computation.axes) {
      const int64_t stride = access.indices[dim].coefficient(axis.name);
      if (axis.reduction || stride == 0 || axis.extent == 1) continue;
      const int64_t rows = factor_of(axis.extent);
      const Range reached = range_of(access.indices[dim], axis_ranges(computation));
      const int64_t span = reached.max - reached.min - stride * (axis.extent - 1);
      tied_.emplace(access.tensor,
                    layout::Unfold{tensor_named(computation, access.tensor).dims[dim].name,
                                   stride * (rows - 1) + span + 1, stride * rows});
      tied_.emplace(computation.output.tensor, layout::Split{axis.name, rows});
    }
  }

  // The last window reaches so far beyond each dimension, before or behind it, whichever is
  // farther.
  static std::vector<int64_t> borders(const Tensor& tensor, const Computation& computation) {
    std::vector<int64_t> result(tensor.dims.size(), 0);
    for (const Access& access : element_reads(computation)) {
      if (access.tensor != tensor.name) continue;
      for (size_t j = 0; j < access.indices.size(); ++j) {
        const Range reached = range_of(access.indices[j], axis_ranges(computation));
        result[j] = std::max({result[j], -reached.min, reached.max - tensor.dims[j].extent + 1});
      }
    }
    return result;
  }

  LayoutPrimitive layout_primitive(const Layout& layout, const Tensor& tensor) {
    const auto any = static_cast<size_t>(below(static_cast<int64_t>(layout.axes.size())));
    const PhysicalAxis& axis = layout.axes[any];
    switch (below(8)) {
      case 0: return layout::Pad{axis.name, one_in(3) ? below(3) : 0, below(4)};
      case 1:
        if (tensor.role == TensorRole::output && !one_in(10)) break;
        return unfold(axis);
      case 2:
        if (any + 1 == layout.axes.size()) break;
        return layout::Fuse{axis.name, layout.axes[any + 1].name};
      case 3:
      case 4: {
        std::vector<std::string> names;
        for (const PhysicalAxis& a : layout.axes) names.push_back(a.name);
        return layout::Reorder{permutation(std::move(names))};
      }
      default: break;
    }
    return layout::Split{axis.name, factor_of(axis.extent())};
  }

  layout::Unfold unfold(const PhysicalAxis& axis) {
    const int64_t extent = axis.extent();
    const int64_t stride = one_in(2) ? factor_of(extent) : 1 + below(4);
    return {axis.name, stride + below(4), stride};
  }

  std::vector<LoopPrimitive> loops(const Stage& initial) {
    std::vector<LoopPrimitive> list;
    Stage stage = initial;
    const auto append = [&](LoopPrimitive primitive) {
      Result<Stage> next = dovetail::apply(primitive, stage);
      if (!next && !one_in(20)) return;
      list.push_back(std::move(primitive));
      if (next) stage = std::move(*next);
    };
    const int64_t count = below(6);
    for (int64_t k = 0; k < count; ++k) append(structural(stage));
    std::vector<std::string> names;
    for (const StageLoop& loop : stage.loops) names.push_back(loop.name);
    if (one_in(2)) append(loop::Reorder{shuffled(names)});
    if (one_in(2)) append(cache_write(stage));
    annotate(stage, append);
    return list;
  }

  const StageLoop& any_loop(const Stage& stage) {
    return stage.loops[static_cast<size_t>(below(static_cast<int64_t>(stage.loops.size())))];
  }

  LoopPrimitive structural(const Stage& stage) {
    const auto any = static_cast<size_t>(below(static_cast<int64_t>(stage.loops.size())));
    const StageLoop& loop = stage.loops[any];
    if (one_in(4) && any + 1 < stage.loops.size())
      return loop::Fuse{loop.name, stage.loops[any + 1].name};
    if (one_in(4)) {
      std::vector<std::string> names;
      for (const StageLoop& l : stage.loops) names.push_back(l.name);
      return loop::Reorder{permutation(std::move(names))};
    }
    if (one_in(16) && loop.extent > 2)
      return loop::Split{loop.name, 2 + below(loop.extent - 2), Tail::cut};
    return loop::Split{loop.name, factor_of(loop.extent)};
  }

  loop::CacheWrite cache_write(const Stage& stage) {
    const std::string tensor = one_in(30) ? "W" : stage.computation.output.tensor;
    return {tensor, one_in(8) ? "root" : any_loop(stage).name, one_in(8)};
  }

  template <typename Append>
  void annotate(const Stage& stage, const Append& append) {
    if (runs_work_groups(target_)) {
      const int64_t bound = below(4);
      for (int64_t l = 0; l < std::min(bound, static_cast<int64_t>(stage.loops.size())); ++l)
        append(
            loop::Bind{stage.loops[static_cast<size_t>(l)].name, static_cast<ThreadAxis>(5 - l)});
    } else if (one_in(2)) {
      append(loop::Parallel{stage.loops.front().name});
    }
    const bool sums = stage.loops.back().reduction;
    if (one_in(2) && (!sums || (stage.cache_write_at && one_in(2))))
      append(loop::Vectorize{stage.loops.back().name});
    if (one_in(40)) append(loop::Vectorize{any_loop(stage).name});
    if (one_in(40)) append(loop::Parallel{any_loop(stage).name});
    if (one_in(40)) append(loop::Bind{any_loop(stage).name, ThreadAxis::group_0});
    if (one_in(6))
      append(loop::Prefetch{one_in(9) ? "Y" : "W", any_loop(stage).name, below(6),
                            one_in(2) ? any_loop(stage).name : ""});
    const int64_t unrolled = below(3);
    for (int64_t k = 0; k < unrolled; ++k) append(loop::Unroll{any_loop(stage).name});
  }

  const Region region_;
  const Target& target_;
  std::mt19937_64& rng_;
  Trace trace_;
  std::set<std::string> drawn_;                  // tensors that have their layout
  std::map<std::string, LayoutPrimitive> tied_;  // what ties the layouts of X and Y
};

}  // namespace

Trace random_trace(const Operator& op, const Target& target, std::mt19937_64& rng) {
  return Draw(region_of(op), target, rng).trace();
}

Trace random_trace(const Region& region, const Target& target, std::mt19937_64& rng) {
  return Draw(region, target, rng).trace();
}

}  // namespace dovetail::testing
