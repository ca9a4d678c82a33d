// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/cache_hints.h"

#include <algorithm>
#include <optional>

#include "primitives/loop/loop_lookup.h"
#include "primitives/lowering/passes/rewrite_block.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxLines = 8;
constexpr int64_t kLineElements = 16;

void stream_stores(Block& block, const std::string& output) {
  for (Statement& statement : block) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) stream_stores(loop->body, output);
    auto* store = std::get_if<Store>(&statement.node);
    if (store != nullptr && store->target == output) store->streaming = true;
  }
}

// The first read of the tensor in the block.
std::optional<Load> first_load(const Block& block, const std::string& tensor) {
  std::optional<Load> found;
  for_each_store(block, [&](const Store& store) {
    for_each_load(store.value, [&](const Load& load) {
      if (load.buffer == tensor && !found) found = load;
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

Prefetch prefetch_of(const Load& load, const Loop& loop, int64_t distance, const Layout& layout) {
  const Ranges inner = inner_ranges(loop.body);
  IndexValues values;
  for (const auto& [name, range] : inner) values.emplace(name, IndexExpr(0));
  values.emplace(loop.variable, IndexExpr::variable(loop.variable) + IndexExpr(distance));
  Prefetch prefetch{load.buffer, {}, 1};
  for (const IndexExpr& index : load.indices)
    prefetch.indices.push_back(substitute(index, values, {}));
  const int64_t elements = stretch(load, layout, inner);
  prefetch.lines =
      std::clamp<int64_t>((elements + kLineElements - 1) / kLineElements, 1, kMaxLines);
  return prefetch;
}

void add_prefetch(Block& block, const StagePrefetch& wanted, const Layout& layout) {
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    const std::optional<Load> load =
        loop->variable == wanted.loop ? first_load(loop->body, wanted.tensor) : std::nullopt;
    if (load) loop->prefetches.push_back(prefetch_of(*load, *loop, wanted.distance, layout));
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
