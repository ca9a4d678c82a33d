// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/planned_buffers.h"

#include <algorithm>

#include "core/base/round_up.h"

namespace dovetail {
namespace {

// Buffers in the order in which calls first name them, then those that no call names.
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

LiveInterval all_times(const NetworkProgram& network) {
  return {0, std::max<int64_t>(1, static_cast<int64_t>(kernels_repeated(network)))};
}

LiveInterval interval_of(const std::optional<Lifetime>& used, const LiveInterval& unused) {
  if (!used) return unused;
  return {static_cast<int64_t>(used->first), static_cast<int64_t>(used->last) + 1};
}

// Lifetime of a buffer in the workspace.
LiveInterval lifetime_inside(BufferRole role, const std::optional<Lifetime>& used,
                             const LiveInterval& all) {
  if (role == BufferRole::activation) return {0, interval_of(used, {0, 1}).upper};
  if (role == BufferRole::output) return {interval_of(used, all).lower, all.upper};
  return interval_of(used, {0, 0});
}

bool is_constant(BufferRole role) {
  return role == BufferRole::constant || role == BufferRole::prepared;
}

}  // namespace

PlannedBuffers planned_buffers(const NetworkProgram& network, NetworkBoundary boundary) {
  const std::vector<std::optional<Lifetime>> uses = spans_of_use(network);
  const LiveInterval all = all_times(network);
  PlannedBuffers planned;
  for (const size_t b : order_of_use(network)) {
    const BufferRole role = network.buffers[b].buffer.role;
    if (role == BufferRole::temporary && is_texture(network.buffers[b].buffer.layout.scope))
      planned.images.push_back({b, all});
    else if (is_constant(role))
      (uses[b] ? planned.constants : planned.preparation).push_back({b, all});
    else if (role == BufferRole::temporary || boundary == NetworkBoundary::inside)
      planned.workspace.push_back({b, lifetime_inside(role, uses[b], all)});
    else
      planned.boundary.push_back({b, all});
  }
  std::ranges::sort(planned.workspace, {}, &PlannedBuffer::number);
  std::ranges::stable_partition(planned.constants, [&](const PlannedBuffer& constant) {
    return !is_texture(network.buffers[constant.number].buffer.layout.scope);
  });
  return planned;
}

std::vector<size_t> numbers_of(const std::vector<PlannedBuffer>& buffers) {
  std::vector<size_t> numbers;
  for (const PlannedBuffer& buffer : buffers) numbers.push_back(buffer.number);
  return numbers;
}

LiveBuffer live_buffer(const NetworkProgram& network, const PlannedBuffer& buffer,
                       int64_t alignment) {
  const Buffer& held = network.buffers[buffer.number].buffer;
  return {.id = held.name,
          .bytes = round_up(buffer_bytes(held), alignment),
          .lifetime = buffer.lifetime,
          .alignment = alignment,
          .access = is_constant(held.role) ? PoolAccess::ro : PoolAccess::rw};
}

PlanningProblem problem_of(const NetworkProgram& network, const std::vector<PlannedBuffer>& buffers,
                           std::vector<Pool> pools, int64_t alignment) {
  PlanningProblem problem{.buffers = {},
                          .pools = std::move(pools),
                          .times = {.name = "kernel", .end = all_times(network).upper}};
  for (const PlannedBuffer& buffer : buffers)
    problem.buffers.push_back(live_buffer(network, buffer, alignment));
  return problem;
}

PlanningProblem preparation_problem(const NetworkProgram& network,
                                    const std::vector<PlannedBuffer>& buffers) {
  const auto calls = static_cast<int64_t>(network.calls.size());
  PlanningProblem problem{.buffers = {},
                          .pools = {network_pool("preparation")},
                          .times = {.name = "call", .end = calls}};
  for (const PlannedBuffer& buffer : buffers) {
    LiveInterval lifetime = {calls, 0};
    for (int64_t c = 0; c < calls; ++c)
      if (std::ranges::count(network.calls[static_cast<size_t>(c)].buffers, buffer.number) > 0)
        lifetime = {std::min(lifetime.lower, c), c + 1};
    if (lifetime.upper == 0) lifetime = {0, calls};
    problem.buffers.push_back(live_buffer(network, {buffer.number, lifetime}, kBufferAlignment));
  }
  return problem;
}

}  // namespace dovetail
