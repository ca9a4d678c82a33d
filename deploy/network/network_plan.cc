// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_plan.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/memory/conflict_lists.h"
#include "core/memory/first_fit.h"
#include "core/memory/lower_bound.h"
#include "core/memory/problem_text.h"
#include "deploy/network/planned_buffers.h"

namespace dovetail {
namespace {

// A buffer's address is a multiple of 64 if its arena and its offset are; languages and linkers
// align to powers of two only.
Result<void> check_alignment(const Pool& pool) {
  if (pool.alignment >= kBufferAlignment && (pool.alignment & (pool.alignment - 1)) == 0) return {};
  return fail(
      "pool {}: alignment {} found; expected a power of two of {} or more, which kernels take for "
      "granted",
      pool.name, pool.alignment, kBufferAlignment);
}

Result<void> check_pools(const NetworkPlanOptions& options) {
  if (options.workspace.empty()) return fail("no pool for temporaries given; expected one or more");
  if (options.constants.empty()) return fail("no pool for constants given; expected one or more");
  for (const Pool& pool : options.workspace) {
    if (pool.access == PoolAccess::ro)
      return fail("pool {} is read-only, and temporaries are written; expected access rw",
                  pool.name);
    TRY(check_alignment(pool));
  }
  for (const Pool& pool : options.constants) TRY(check_alignment(pool));
  return {};
}

std::vector<NetworkArena> arenas_of(const NetworkPlanOptions& options, bool has_images) {
  std::vector<NetworkArena> arenas;
  for (const Pool& pool : options.workspace)
    arenas.push_back(
        {.name = pool.name, .use = NetworkMemory::workspace, .alignment = pool.alignment});
  for (const Pool& pool : options.constants)
    arenas.push_back(
        {.name = pool.name, .use = NetworkMemory::constants, .alignment = pool.alignment});
  arenas.push_back({.name = "preparation", .use = NetworkMemory::preparation});
  if (options.boundary == NetworkBoundary::apart)
    arenas.push_back({.name = "boundary", .use = NetworkMemory::boundary});
  if (has_images) arenas.push_back({.name = "images", .use = NetworkMemory::images});
  for (NetworkArena& arena : arenas) arena.alignment = std::max(arena.alignment, options.alignment);
  return arenas;
}

Result<void> check_names(const std::vector<NetworkArena>& arenas) {
  std::set<std::string> names;
  for (const NetworkArena& arena : arenas) {
    if (arena.name.empty() || arena.name.find_first_of(",;| \t\r\n") != std::string::npos)
      return fail("pool '{}': expected a name without blanks and without , ; |", arena.name);
    if (!names.insert(arena.name).second)
      return fail("pool {} is there twice, or is one that every network has; expected another name",
                  arena.name);
  }
  return {};
}

// Copies the placements of these buffers to the plan; pool 0 becomes arena `first`.
void take(NetworkPlan& plan, const std::vector<size_t>& buffers, size_t first,
          const PlanningProblem& problem, const PlanningResult& planned) {
  CHECK(buffers.size() == problem.buffers.size());
  for (size_t n = 0; n < buffers.size(); ++n) {
    const Placement& placement = planned.plan.placements[n];
    plan.places[buffers[n]] = {.arena = first + static_cast<size_t>(placement.pool),
                               .offset = placement.offset};
  }
  const std::vector<int64_t> peaks = pool_peaks(problem, planned.plan);
  const std::vector<int64_t> bounds = pool_bounds(problem, planned.plan);
  for (size_t pool = 0; pool < peaks.size(); ++pool) {
    plan.arenas[first + pool].bytes = peaks[pool];
    plan.arenas[first + pool].lower_bound_bytes =
        peaks.size() == 1 ? planned.lower_bound_bytes : bounds[pool];
  }
}

size_t first_of(const NetworkPlan& plan, NetworkMemory use) {
  const auto found = std::ranges::find(plan.arenas, use, &NetworkArena::use);
  CHECK(found != plan.arenas.end());
  return static_cast<size_t>(found - plan.arenas.begin());
}

// Places constants one after the other, each in the first pool with room: they are read in this
// order, and all are alive all the time.
Result<PlanningResult> plan_in_order(const PlanningProblem& problem) {
  PlannerTable planners;
  TRY(planners.add("in_order", [](const PlanningProblem& given, const PlannerOptions&) {
    std::vector<int> order(given.buffers.size());
    std::iota(order.begin(), order.end(), 0);
    return place_in_order(given, ConflictLists(given), order);
  }));
  return plan_memory(problem, "in_order", {}, planners);
}

// One after the other, in an arena of their own.
Result<void> place_apart(const NetworkProgram& network, const std::vector<PlannedBuffer>& buffers,
                         NetworkMemory use, const NetworkPlanOptions& options, NetworkPlan& plan) {
  const size_t arena = first_of(plan, use);
  const PlanningProblem problem =
      problem_of(network, buffers, {network_pool(plan.arenas[arena].name)}, options.alignment);
  take(plan, numbers_of(buffers), arena, problem, TRY(plan_in_order(problem)));
  return {};
}

}  // namespace

int64_t bytes_in(const NetworkPlan& plan, NetworkMemory use) {
  int64_t bytes = 0;
  for (const NetworkArena& arena : plan.arenas)
    if (arena.use == use) bytes += arena.bytes;
  return bytes;
}

NetworkMemory use_of(const NetworkPlan& plan, size_t buffer) {
  return plan.arenas[plan.places[buffer].arena].use;
}

Pool network_pool(std::string name) {
  return {.name = std::move(name), .alignment = kBufferAlignment};
}

Result<Pool> parse_network_pool(std::string_view text) {
  return parse_pool(text, {.alignment = kBufferAlignment});
}

PlanningProblem workspace_problem(const NetworkProgram& network,
                                  const NetworkPlanOptions& options) {
  return problem_of(network, planned_buffers(network, options.boundary).workspace,
                    options.workspace, options.alignment);
}

PlanningProblem constants_problem(const NetworkProgram& network,
                                  const NetworkPlanOptions& options) {
  return problem_of(network, planned_buffers(network, options.boundary).constants,
                    options.constants, options.alignment);
}

Result<NetworkPlan> plan_network(const NetworkProgram& network, const NetworkPlanOptions& options) {
  TRY(check_pools(options));
  const PlannedBuffers buffers = planned_buffers(network, options.boundary);
  NetworkPlan plan{.arenas = arenas_of(options, !buffers.images.empty()),
                   .places = std::vector<ArenaPlace>(network.buffers.size()),
                   .algorithm = options.algorithm};
  TRY(check_names(plan.arenas));
  const PlanningProblem temporaries = workspace_problem(network, options);
  const PlanningResult workspace =
      TRY(plan_memory(temporaries, options.algorithm, {.most_nodes = options.most_nodes}));
  take(plan, numbers_of(buffers.workspace), 0, temporaries, workspace);
  plan.lower_bound_bytes = workspace.lower_bound_bytes;
  const PlanningProblem constants = constants_problem(network, options);
  take(plan, numbers_of(buffers.constants), options.workspace.size(), constants,
       TRY(plan_in_order(constants)));
  const PlanningProblem preparation = preparation_problem(network, buffers.preparation);
  take(plan, numbers_of(buffers.preparation), first_of(plan, NetworkMemory::preparation),
       preparation, TRY(plan_memory(preparation, "greedy_by_size", {})));
  if (options.boundary == NetworkBoundary::apart)
    TRY(place_apart(network, buffers.boundary, NetworkMemory::boundary, options, plan));
  if (!buffers.images.empty())
    TRY(place_apart(network, buffers.images, NetworkMemory::images, options, plan));
  return plan;
}

std::string print_megabytes(int64_t bytes) {
  return fmt::format("{:.15g} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace dovetail
