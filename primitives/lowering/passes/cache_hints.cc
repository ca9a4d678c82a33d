// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/cache_hints.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "core/ir/index/range_arithmetic.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/lowering/passes/rewrite_block.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxLines = 8;         // lines of one load
constexpr int64_t kMaxJoinedLines = 32;  // lines of all loads of a loop
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

// Elements that the loops inside reach contiguously, by digits: an axis that they do not cover ends
// the stretch.
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

// Elements from one load to the other; nullopt where that varies.
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

struct Part {
  int64_t from;      // its first element, counted from the first load's
  int64_t to;        // one behind its last
  const Load* load;  // load that begins there
};

// The contiguous stretches that an iteration reads: a load's own, merged with those that begin
// where it ends, as where loops over a table of coefficients are unrolled.
std::vector<Part> stretches(const std::vector<Load>& loads, const Layout& layout,
                            const Ranges& inner) {
  std::vector<Part> parts;
  for (const Load& load : loads) {
    const std::optional<int64_t> from = distance_between(loads.front(), load, layout);
    const int64_t elements = std::min(stretch(load, layout, inner), kMaxLines * kLineElements);
    if (from) parts.push_back({*from, *from + elements, &load});
  }
  std::ranges::stable_sort(parts, {}, &Part::from);
  std::vector<Part> joined;
  for (const Part& part : parts)
    if (joined.empty() || part.from > joined.back().to)
      joined.push_back(part);
    else
      joined.back().to = std::max(joined.back().to, part.to);
  return joined;
}

std::vector<IndexExpr> moved(const std::vector<IndexExpr>& indices, const IndexValues& values) {
  std::vector<IndexExpr> result;
  for (const IndexExpr& index : indices) result.push_back(substitute(index, values, {}));
  return result;
}

int64_t lines_of(const Part& part) {
  return (part.to - part.from + kLineElements - 1) / kLineElements;
}

std::vector<Prefetch> prefetches_of(const std::vector<Part>& parts, const IndexValues& values) {
  std::vector<Prefetch> prefetches;
  int64_t left = kMaxJoinedLines;
  for (const Part& part : parts) {
    const int64_t lines = std::min(left, lines_of(part));
    if (lines == 0) break;
    left -= lines;
    prefetches.push_back({part.load->buffer, moved(part.load->indices, values), lines});
  }
  return prefetches;
}

// Step of each index from one load to the next; nullopt where it varies.
std::optional<std::vector<int64_t>> step_between(const std::vector<Part>& parts) {
  std::vector<int64_t> step;
  for (size_t p = 1; p < parts.size(); ++p) {
    std::vector<int64_t> own;
    for (size_t a = 0; a < parts[p].load->indices.size(); ++a)
      own.push_back((parts[p].load->indices[a] - parts[p - 1].load->indices[a]).constant());
    if (p > 1 && own != step) return std::nullopt;
    step = std::move(own);
  }
  return step;
}

// Loops between `of` and the current one that do not index the loads: their iteration as one
// number, and how many there are.
std::pair<IndexExpr, int64_t> turns(std::span<const Loop* const> around, const std::string& of,
                                    const std::vector<Load>& loads) {
  IndexExpr turn;
  int64_t count = 1;
  for (size_t l = around.size(); l-- > 0 && around[l]->variable != of;) {
    const auto mentions = [&](const IndexExpr& index) {
      return index.mentions(around[l]->variable);
    };
    if (std::ranges::any_of(loads.front().indices, mentions)) continue;
    turn = turn + IndexExpr::variable(around[l]->variable) * count;
    count *= around[l]->extent;
  }
  return {turn, count};
}

// All parts in every turn, or in each turn as many as make all over all turns.
std::vector<Prefetch> prefetches_in_turns(const std::vector<Part>& parts, const IndexValues& values,
                                          const IndexExpr& turn, int64_t count) {
  const bool is_one = parts.size() == 1;
  const int64_t number = is_one ? lines_of(parts[0]) : static_cast<int64_t>(parts.size());
  const int64_t each = ceil_quotient(number, count);
  std::optional<std::vector<int64_t>> step = step_between(parts);
  std::vector<Prefetch> prefetches;
  if (is_one) {
    step = std::vector<int64_t>(parts[0].load->indices.size());
    step->back() = kLineElements;
  }
  if (!step) {
    prefetches = prefetches_of(parts, values);
  } else {
    for (int64_t k = 0; k < (is_one ? 1 : each); ++k) {
      std::vector<IndexExpr> indices = moved(parts[0].load->indices, values);
      for (size_t a = 0; a < indices.size(); ++a)
        indices[a] = indices[a] + (turn * each + IndexExpr(k)) * (*step)[a];
      prefetches.push_back(
          {parts[0].load->buffer, std::move(indices), is_one ? each : lines_of(parts[0])});
    }
  }
  for (Prefetch& prefetch : prefetches) prefetch.far = true;
  return prefetches;
}

std::vector<Prefetch> prefetches_at(const Loop& loop, const StagePrefetch& wanted,
                                    const Layout& layout, std::span<const Loop* const> around) {
  const std::vector<Load> loads = loads_of(loop.body, wanted.tensor);
  if (loads.empty()) return {};
  const Ranges inner = inner_ranges(loop.body);
  IndexValues values;
  for (const auto& [name, range] : inner) values.emplace(name, IndexExpr(0));
  const std::string& counted = wanted.of.empty() ? loop.variable : wanted.of;
  values.emplace(counted, IndexExpr::variable(counted) + IndexExpr(wanted.distance));
  const std::vector<Part> parts = stretches(loads, layout, inner);
  if (wanted.of.empty()) return prefetches_of(parts, values);
  const auto [turn, count] = turns(around, wanted.of, loads);
  return prefetches_in_turns(parts, values, turn, count);
}

void add_prefetch(Block& block, const StagePrefetch& wanted, const Layout& layout,
                  std::vector<const Loop*>& around) {
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    if (loop->variable == wanted.loop)
      std::ranges::copy(prefetches_at(*loop, wanted, layout, around),
                        std::back_inserter(loop->prefetches));
    around.push_back(loop);
    add_prefetch(loop->body, wanted, layout, around);
    around.pop_back();
  }
}

}  // namespace

Block with_cache_hints(Block block, const Stage& stage,
                       const std::vector<ScheduledTensor>& tensors) {
  if (stage.streaming_stores) stream_stores(block, stage.computation.output.tensor);
  std::vector<const Loop*> around;
  for (const StagePrefetch& wanted : stage.prefetches)
    add_prefetch(block, wanted, tensor_named(tensors, wanted.tensor).layout, around);
  return block;
}

}  // namespace dovetail
