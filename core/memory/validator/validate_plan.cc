// SPDX-License-Identifier: Apache-2.0
#include "core/memory/validator/validate_plan.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/fail.h"

namespace dovetail {
namespace {

bool is_empty(const LiveBuffer& buffer) {
  return buffer.bytes == 0 || buffer.lifetime.lower == buffer.lifetime.upper;
}

Result<void> validate_placement(const PlanningProblem& problem, size_t index,
                                const Placement& placement) {
  const LiveBuffer& buffer = problem.buffers[index];
  if (placement.pool < 0 || static_cast<size_t>(placement.pool) >= problem.pools.size())
    return fail("buffer {}: pool number {} found; expected 0 to {}", buffer.id, placement.pool,
                problem.pools.size() - 1);
  const Pool& pool = problem.pools[static_cast<size_t>(placement.pool)];
  if (!buffer.pools.empty() && std::ranges::count(buffer.pools, placement.pool) == 0)
    return fail("buffer {} lies in pool {}, which is none of its pools", buffer.id, pool.name);
  if (buffer.access == PoolAccess::rw && pool.access == PoolAccess::ro)
    return fail("buffer {} is written, and pool {} is read-only", buffer.id, pool.name);
  if (placement.offset < 0)
    return fail("buffer {}: offset {} found; expected 0 or more", buffer.id, placement.offset);
  if (placement.offset % buffer.alignment != 0 || placement.offset % pool.alignment != 0)
    return fail("buffer {}: offset {} found; expected a multiple of {} and of {}", buffer.id,
                placement.offset, buffer.alignment, pool.alignment);
  if (!is_empty(buffer) &&
      (buffer.bytes > pool.limit_bytes || placement.offset > pool.limit_bytes - buffer.bytes))
    return fail("buffer {} of {} bytes at offset {} leaves pool {} of {} bytes", buffer.id,
                buffer.bytes, placement.offset, pool.name, pool.limit_bytes);
  if (buffer.offset && *buffer.offset != placement.offset)
    return fail("buffer {}: offset {} found; expected its fixed offset {}", buffer.id,
                placement.offset, *buffer.offset);
  return {};
}

Unexpected sharing(const PlanningProblem& problem, const Plan& plan, size_t a, size_t b) {
  const int64_t begin = std::max(plan.placements[a].offset, plan.placements[b].offset);
  const int64_t end = std::min(plan.placements[a].offset + problem.buffers[a].bytes,
                               plan.placements[b].offset + problem.buffers[b].bytes);
  return fail("buffers {} and {} share bytes {} to {} of pool {}",
              problem.buffers[std::min(a, b)].id, problem.buffers[std::max(a, b)].id, begin, end,
              problem.pools[static_cast<size_t>(plan.placements[a].pool)].name);
}

Result<void> validate_pairs(const PlanningProblem& problem, const Plan& plan) {
  for (const auto& [first, second] : *problem.conflicts) {
    const auto a = static_cast<size_t>(first);
    const auto b = static_cast<size_t>(second);
    if (is_empty(problem.buffers[a]) || is_empty(problem.buffers[b])) continue;
    const Placement& one = plan.placements[a];
    const Placement& other = plan.placements[b];
    if (one.pool == other.pool && one.offset < other.offset + problem.buffers[b].bytes &&
        other.offset < one.offset + problem.buffers[a].bytes)
      return sharing(problem, plan, a, b);
  }
  return {};
}

// A sweep over time. Live buffers are ordered by pool and offset and never overlap, so that a new
// one can overlap only its two neighbours.
Result<void> validate_lifetimes(const PlanningProblem& problem, const Plan& plan) {
  std::vector<std::tuple<int64_t, int, size_t>> events;  // time, 0 end or 1 begin, buffer
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (is_empty(problem.buffers[i])) continue;
    events.emplace_back(problem.buffers[i].lifetime.lower, 1, i);
    events.emplace_back(problem.buffers[i].lifetime.upper, 0, i);
  }
  std::ranges::sort(events);
  std::map<std::pair<int, int64_t>, size_t> live;
  for (const auto& [time, begins, buffer] : events) {
    const Placement& here = plan.placements[buffer];
    const std::pair key(here.pool, here.offset);
    if (begins == 0) {
      live.erase(key);
      continue;
    }
    const auto after = live.lower_bound(key);
    if (after != live.end() && after->first.first == here.pool &&
        after->first.second < here.offset + problem.buffers[buffer].bytes)
      return sharing(problem, plan, buffer, after->second);
    if (after != live.begin()) {
      const auto before = std::prev(after);
      if (before->first.first == here.pool &&
          here.offset < before->first.second + problem.buffers[before->second].bytes)
        return sharing(problem, plan, buffer, before->second);
    }
    live.emplace(key, buffer);
  }
  return {};
}

}  // namespace

Result<void> validate_plan(const PlanningProblem& problem, const Plan& plan) {
  if (plan.placements.size() != problem.buffers.size())
    return fail("a plan of {} placements found; expected one for each of {} buffers",
                plan.placements.size(), problem.buffers.size());
  for (size_t i = 0; i < plan.placements.size(); ++i)
    TRY(validate_placement(problem, i, plan.placements[i]));
  return problem.conflicts ? validate_pairs(problem, plan) : validate_lifetimes(problem, plan);
}

}  // namespace dovetail
