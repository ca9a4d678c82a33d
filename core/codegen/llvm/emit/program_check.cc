// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/fail.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/ir/program/walk.h"
#include "core/ir/value/walk.h"

namespace dovetail::codegen {
namespace {

constexpr int64_t kMaxLanes = 64;
// Beyond it, code exceeds the instruction cache and compilation takes seconds.
constexpr int64_t kMaxExpandedStores = 4096;
constexpr int64_t kMaxTileBytes = 256 << 10;  // on the stack

Result<void> check_buffer(const Buffer& buffer) {
  if (buffer.layout.scope == MemoryScope::global) return {};
  return fail("buffer {} has scope {}; a CPU has only global", buffer.name,
              print(buffer.layout.scope));
}

Result<void> check_loop(const Loop& loop, const std::string& kernel, bool is_outermost) {
  const auto refuse = [&](const std::string& what) {
    return fail("kernel {}: loop {} {}", kernel, loop.variable, what);
  };
  if (loop.extent < 1)
    return refuse(fmt::format("has extent {}; expected at least 1", loop.extent));
  if (!loop.bounds.empty() && loop.kind != LoopKind::serial)
    return refuse("is clipped; expected a serial loop");
  if (loop.at && (loop.kind != LoopKind::serial || !loop.bounds.empty()))
    return refuse("has one iteration that data name; expected a plain serial loop");
  for (const Bound& bound : loop.bounds)
    if (bound.expr.coefficient(loop.variable) == 0)
      return refuse(fmt::format("is clipped by {}, which does not move with it by a step",
                                print(bound.expr)));
  if (loop.kind == LoopKind::bound) return refuse("is bound to threads; a CPU has none");
  if (loop.kind == LoopKind::parallel && !is_outermost)
    return refuse("is parallel inside another loop; expected outermost");
  if (loop.kind == LoopKind::vectorized && loop.extent > kMaxLanes) {
    return refuse(
        fmt::format("is vectorized with {} lanes; expected at most {}", loop.extent, kMaxLanes));
  }
  return {};
}

// The number of stores that a block has after unrolling.
Result<int64_t> expanded_stores(const Block& block, const std::string& kernel, bool inside_loop,
                                bool inside_lanes) {
  int64_t stores = 0;
  for (const Statement& statement : block) {
    if (std::holds_alternative<Store>(statement.node)) ++stores;
    if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) {
      const auto refuse = [&](const std::string& what) {
        return fail("kernel {}: tile {} {}", kernel, tile->name, what);
      };
      const int64_t bytes = std::accumulate(tile->extents.begin(), tile->extents.end(),
                                            bytes_of(tile->type), std::multiplies<>());
      if (bytes < 1 || bytes > kMaxTileBytes)
        return refuse(fmt::format("has {} bytes; expected at most {}", bytes, kMaxTileBytes));
      if (tile->scope == TileScope::local)
        return refuse("is local, which a CPU has not; expected private");
      if (tile->scope == TileScope::workspace)
        return refuse("is in workspace; expected a temporary buffer");
      if (inside_lanes) return refuse("is declared inside a vectorized loop");
    }
    if (std::holds_alternative<Barrier>(statement.node))
      return fail("kernel {}: has a barrier; a CPU has no work-items", kernel);
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    TRY(check_loop(*loop, kernel, !inside_loop && block.size() == 1));
    const bool lanes = loop->kind == LoopKind::vectorized && loop->extent > 1;
    if (inside_lanes && loop->kind != LoopKind::unrolled && loop->extent > 1) {
      return fail("kernel {}: loop {} is inside a vectorized loop; expected an unrolled one",
                  kernel, loop->variable);
    }
    const int64_t inner = TRY(expanded_stores(loop->body, kernel, true, inside_lanes || lanes));
    stores += loop->kind == LoopKind::unrolled
                  ? inner * std::min(loop->extent, kMaxExpandedStores + 1)
                  : inner;
    stores = std::min(stores, kMaxExpandedStores + 1);
  }
  return stores;
}

struct LaneAccesses {
  std::map<std::string, std::vector<const Store*>> stores;
  std::vector<const Load*> loads;
};

void collect(const Block& block, LaneAccesses& into) {
  for_each_store(block, [&](const Store& store) {
    into.stores[store.target].push_back(&store);
    for_each_load(store.value, [&](const Load& load) { into.loads.push_back(&load); });
  });
}

}  // namespace

Result<void> check_for_cpu(const Program& program) {
  for (const Buffer& buffer : program.buffers) TRY(check_buffer(buffer));
  for (const Kernel& kernel : program.kernels) {
    const int64_t stores = TRY(expanded_stores(kernel.body, kernel.name, false, false));
    if (stores > kMaxExpandedStores)
      return fail("kernel {}: unrolls to more than {} stores", kernel.name, kMaxExpandedStores);
  }
  return {};
}

// A vector executes statement by statement, the nest lane by lane: both are equivalent only when no
// lane reads what another one writes.
Result<void> KernelEmitter::check_lane_order(const Loop& loop) {
  LaneAccesses accesses;
  collect(loop.body, accesses);
  const auto refuse = [&](const std::string& name) {
    return fail("lanes of vectorized loop {} depend on each other through {}", loop.variable, name);
  };
  for (const Load* load : accesses.loads) {
    const auto stored = accesses.stores.find(load->buffer);
    if (stored == accesses.stores.end()) continue;
    for (const Store* store : stored->second)
      if (load->indices != store->indices || !any_mentions(store->indices, loop.variable))
        return refuse(load->buffer);
  }
  for (const auto& [target, stores] : accesses.stores) {
    const bool all_accumulate = std::ranges::all_of(stores, [&](const Store* s) {
      return accumulates(*s) && s->reducer == stores[0]->reducer;
    });
    for (const Store* store : stores) {
      if (stores.size() == 1 || all_accumulate) continue;
      const bool same_lanes = any_mentions(store->indices, loop.variable) &&
                              !store->indices.empty() &&
                              store->indices.back() == stores.front()->indices.back();
      if (!same_lanes) return refuse(target);
    }
  }
  return {};
}

}  // namespace dovetail::codegen
