// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/cache_hints.h"

#include <algorithm>
#include <optional>

#include "primitives/loop/loop_lookup.h"
#include "primitives/lowering/passes/rewrite_block.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxLines = 8;         // that loops reach
constexpr int64_t kMaxJoinedLines = 32;  // of several loads, one behind the other
constexpr int64_t kLineElements = 16;

void stream_stores(Block& block, const std::string& output) {
  for (Statement& statement : block) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) stream_stores(loop->body, output);
    auto* store = std::get_if<Store>(&statement.node);
    if (store != nullptr && store->target == output) store->streaming = true;
  }
}

std::vector<Load> loads_of(const Block& block, const std::string& tensor) {
  std::vector<Load> found;
  for_each_store(block, [&](const Store& store) {
    for_each_load(store.value, [&](const Load& load) {
      if (load.buffer == tensor) found.push_back(load);
    });
  });
  return found;
}

// Elements from the first to the last that the loops inside reach, by digits: an axis that they do
// not cover ends the stretch.
int64_t stretch(const Load& load, const Layout& layout, const Ranges& inner) {
  int64_t elements = 1;
  for (size_t a = load.indices.size(); a-- > 0;) {
    IndexExpr moving;
    for (const IndexTerm& term : load.indices[a].terms()) {
      const IndexExpr own = IndexExpr::of({term}, 0);
      const auto is_inner = [&](const std::string& name) { return inner.contains(name); };
      if (std::ranges::all_of(own.variables(), is_inner)) moving = moving + own;
    }
    const Range range = range_of(moving, inner);
    const int64_t extent = layout.axes[a].extent();
    elements *= std::min(range.max - range.min + 1, extent);
    if (range.max - range.min + 1 < extent) break;
  }
  return elements;
}

// Elements from the one load to the other, where that is the same in all iterations.
std::optional<int64_t> distance_between(const Load& from, const Load& to, const Layout& layout) {
  int64_t elements = 0, step = 1;
  for (size_t a = from.indices.size(); a-- > 0;) {
    const IndexExpr difference = to.indices[a] - from.indices[a];
    if (!difference.is_constant()) return std::nullopt;
    elements += difference.constant() * step;
    step *= layout.axes[a].extent();
  }
  return elements;
}

// Lines that an iteration reads from its first load on: its own, and those of others that begin
// where it ends, as where the loops over a table of coefficients are written out.
int64_t count_lines(const std::vector<Load>& loads, const Layout& layout, const Ranges& inner) {
  std::vector<std::pair<int64_t, int64_t>> parts;  // first element, and the one behind the last
  for (const Load& load : loads) {
    const std::optional<int64_t> from = distance_between(loads.front(), load, layout);
    const int64_t elements = std::min(stretch(load, layout, inner), kMaxLines * kLineElements);
    if (from && *from >= 0) parts.emplace_back(*from, *from + elements);
  }
  std::ranges::sort(parts);
  int64_t end = parts.front().second;
  for (const auto& [from, to] : parts)
    if (from <= end) end = std::max(end, to);
  return std::clamp<int64_t>((end + kLineElements - 1) / kLineElements, 1, kMaxJoinedLines);
}

Prefetch prefetch_of(const std::vector<Load>& loads, const Loop& loop, int64_t distance,
                     const Layout& layout) {
  const Ranges inner = inner_ranges(loop.body);
  IndexValues values;
  for (const auto& [name, range] : inner) values.emplace(name, IndexExpr(0));
  values.emplace(loop.variable, IndexExpr::variable(loop.variable) + IndexExpr(distance));
  Prefetch prefetch{loads.front().buffer, {}, count_lines(loads, layout, inner)};
  for (const IndexExpr& index : loads.front().indices)
    prefetch.indices.push_back(substitute(index, values, {}));
  return prefetch;
}

void add_prefetch(Block& block, const StagePrefetch& wanted, const Layout& layout) {
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    if (loop->variable == wanted.loop)
      if (const std::vector<Load> loads = loads_of(loop->body, wanted.tensor); !loads.empty())
        loop->prefetches.push_back(prefetch_of(loads, *loop, wanted.distance, layout));
    add_prefetch(loop->body, wanted, layout);
  }
}

}  // namespace

Block with_cache_hints(Block block, const Stage& stage,
                       const std::vector<ScheduledTensor>& tensors) {
  if (stage.streaming_stores) stream_stores(block, stage.computation.output.tensor);
  for (const StagePrefetch& wanted : stage.prefetches)
    add_prefetch(block, wanted, tensor_named(tensors, wanted.tensor).layout);
  return block;
}

}  // namespace dovetail
