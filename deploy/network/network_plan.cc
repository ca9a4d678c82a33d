// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_plan.h"

#include <algorithm>

#include "core/base/round_up.h"

namespace dovetail {
namespace {

constexpr int64_t kAlignmentBytes = 64;

bool is_workspace(const NetworkBuffer& held) { return held.buffer.role == BufferRole::temporary; }

NetworkArena arena_of(const NetworkBuffer& held, bool is_repeated) {
  switch (held.buffer.role) {
    case BufferRole::temporary: return NetworkArena::workspace;
    case BufferRole::activation:
    case BufferRole::output: return NetworkArena::boundary;
    default: return is_repeated ? NetworkArena::constants : NetworkArena::preparation;
  }
}

// Buffers in the order in which calls first name them, then those that none names.
std::vector<size_t> order_of_use(const NetworkProgram& network) {
  std::vector<size_t> order;
  std::vector<bool> seen(network.buffers.size(), false);
  const auto visit = [&](size_t b) {
    if (!seen[b]) order.push_back(b);
    seen[b] = true;
  };
  for (const NetworkCall& call : network.calls) std::ranges::for_each(call.buffers, visit);
  for (size_t b = 0; b < seen.size(); ++b) visit(b);
  return order;
}

LiveBuffer live_buffer(const NetworkBuffer& held, LiveInterval lifetime) {
  return {.id = held.buffer.name,
          .bytes = round_up(buffer_bytes(held.buffer), kAlignmentBytes),
          .lifetime = lifetime,
          .alignment = kAlignmentBytes};
}

// What only kernels that run once read is alive from the first call that names it to the last one:
// weights are stored and prepared call by call.
PlanningProblem preparation_problem(const NetworkProgram& network,
                                    const std::vector<size_t>& buffers) {
  PlanningProblem problem{.buffers = {}, .pools = {Pool{.name = "preparation"}}};
  const auto calls = static_cast<int64_t>(network.calls.size());
  for (const size_t b : buffers) {
    LiveBuffer buffer = live_buffer(network.buffers[b], {calls, 0});
    for (int64_t c = 0; c < calls; ++c)
      if (std::ranges::count(network.calls[static_cast<size_t>(c)].buffers, b) > 0)
        buffer.lifetime = {std::min(buffer.lifetime.lower, c), c + 1};
    if (buffer.lifetime.upper == 0) buffer.lifetime = {0, calls};
    problem.buffers.push_back(std::move(buffer));
  }
  return problem;
}

Result<void> plan_preparation(const NetworkProgram& network, NetworkPlan& plan) {
  std::vector<size_t> buffers;
  for (size_t b = 0; b < plan.places.size(); ++b)
    if (plan.places[b].arena == NetworkArena::preparation) buffers.push_back(b);
  if (buffers.empty()) return {};
  const PlanningResult planned =
      TRY(plan_memory(preparation_problem(network, buffers), "greedy_by_size", {}));
  for (size_t n = 0; n < buffers.size(); ++n)
    plan.places[buffers[n]].offset = planned.plan.placements[n].offset;
  plan.bytes[static_cast<size_t>(NetworkArena::preparation)] = planned.peak_bytes;
  return {};
}

}  // namespace

PlanningProblem workspace_problem(const NetworkProgram& network) {
  PlanningProblem problem{.buffers = {}, .pools = {Pool{.name = "workspace"}}};
  const std::vector<std::optional<Lifetime>> lifetimes = lifetimes_of(network);
  for (size_t b = 0; b < network.buffers.size(); ++b) {
    const NetworkBuffer& held = network.buffers[b];
    if (!is_workspace(held)) continue;
    LiveBuffer buffer = live_buffer(held, {0, 0});
    if (lifetimes[b])
      buffer.lifetime = {static_cast<int64_t>(lifetimes[b]->first),
                         static_cast<int64_t>(lifetimes[b]->last) + 1};
    problem.buffers.push_back(std::move(buffer));
  }
  return problem;
}

Result<NetworkPlan> plan_network(const NetworkProgram& network, const NetworkPlanOptions& options) {
  const PlanningResult planned = TRY(plan_memory(workspace_problem(network), options.algorithm,
                                                 {.most_nodes = options.most_nodes}));
  NetworkPlan plan{.places = std::vector<NetworkPlace>(network.buffers.size()),
                   .bytes = {},
                   .lower_bound_bytes = planned.lower_bound_bytes,
                   .algorithm = planned.algorithm};
  size_t next = 0;
  for (size_t b = 0; b < network.buffers.size(); ++b)
    if (is_workspace(network.buffers[b]))
      plan.places[b].offset = planned.plan.placements[next++].offset;
  plan.bytes[static_cast<size_t>(NetworkArena::workspace)] = planned.peak_bytes;
  const std::vector<std::optional<Lifetime>> lifetimes = lifetimes_of(network);
  for (const size_t b : order_of_use(network)) {
    if (is_workspace(network.buffers[b])) continue;
    NetworkPlace& place = plan.places[b];
    place.arena = arena_of(network.buffers[b], lifetimes[b].has_value());
    int64_t& end = plan.bytes[static_cast<size_t>(place.arena)];
    place.offset = end;
    end += round_up(buffer_bytes(network.buffers[b].buffer), kAlignmentBytes);
  }
  TRY(plan_preparation(network, plan));
  return plan;
}

}  // namespace dovetail
