// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_plan_text.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/memory/plan_picture.h"
#include "core/memory/problem_text.h"
#include "deploy/network/planned_buffers.h"

namespace dovetail {
namespace {

NetworkBoundary boundary_of(const NetworkPlan& plan) {
  const bool is_apart = std::ranges::any_of(
      plan.arenas, [](const NetworkArena& arena) { return arena.use == NetworkMemory::boundary; });
  return is_apart ? NetworkBoundary::apart : NetworkBoundary::inside;
}

// In the order of the network's buffers.
std::vector<PlannedBuffer> kept_buffers(const NetworkProgram& network, const NetworkPlan& plan) {
  CHECK(plan.places.size() == network.buffers.size());
  PlannedBuffers planned = planned_buffers(network, boundary_of(plan));
  std::vector<PlannedBuffer> kept = std::move(planned.workspace);
  kept.insert(kept.end(), planned.constants.begin(), planned.constants.end());
  kept.insert(kept.end(), planned.boundary.begin(), planned.boundary.end());
  std::ranges::sort(kept, {}, &PlannedBuffer::number);
  return kept;
}

size_t kind_of(BufferRole role) {
  switch (role) {
    case BufferRole::temporary: return 0;
    case BufferRole::activation: return 1;
    case BufferRole::output: return 2;
    default: return 3;
  }
}

}  // namespace

StatedPlan stated_plan(const NetworkProgram& network, const NetworkPlan& plan) {
  std::vector<Pool> pools;
  std::vector<int> pool_of;  // by arena
  for (const NetworkArena& arena : plan.arenas) {
    pool_of.push_back(static_cast<int>(pools.size()));
    if (arena.use != NetworkMemory::preparation)
      pools.push_back({.name = arena.name, .alignment = arena.alignment});
  }
  const std::vector<PlannedBuffer> kept = kept_buffers(network, plan);
  StatedPlan stated{.problem = problem_of(network, kept, std::move(pools)), .plan = {}};
  for (const PlannedBuffer& buffer : kept) {
    const ArenaPlace& place = plan.places[buffer.number];
    stated.plan.placements.push_back({.pool = pool_of[place.arena], .offset = place.offset});
  }
  return stated;
}

std::string plan_text(const NetworkProgram& network, const NetworkPlan& plan) {
  const StatedPlan stated = stated_plan(network, plan);
  return print_plan(stated.problem, stated.plan);
}

std::string plan_picture(const NetworkProgram& network, const NetworkPlan& plan) {
  const StatedPlan stated = stated_plan(network, plan);
  PlanPictureOptions options{.title = network.name + ": memory over its kernels",
                             .kinds = {"temporaries", "inputs", "outputs", "constants"}};
  for (const PlannedBuffer& buffer : kept_buffers(network, plan))
    options.kind_of.push_back(kind_of(network.buffers[buffer.number].buffer.role));
  return plan_svg(stated.problem, stated.plan, options);
}

}  // namespace dovetail
