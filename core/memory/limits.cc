// SPDX-License-Identifier: Apache-2.0
#include "core/memory/limits.h"

#include <algorithm>
#include <set>

#include "core/base/fail.h"

namespace dovetail {
namespace {

// The pools that may hold a buffer, each once, in ascending order.
using PoolSet = std::vector<int>;

const Pool& pool_of(const PlanningProblem& problem, int pool) {
  return problem.pools[static_cast<size_t>(pool)];
}

PoolSet pool_set(const PlanningProblem& problem, int buffer) {
  PoolSet pools = usable_pools(problem, buffer);
  std::ranges::sort(pools);
  pools.erase(std::ranges::unique(pools).begin(), pools.end());
  return pools;
}

bool is_limited(const PlanningProblem& problem, const PoolSet& pools) {
  return std::ranges::none_of(
      pools, [&](int pool) { return pool_of(problem, pool).limit_bytes == kUnlimitedBytes; });
}

std::string sizes_text(const PlanningProblem& problem, const PoolSet& pools) {
  std::string text = pools.size() == 1 ? "pool " : "pools ";
  for (size_t i = 0; i < pools.size(); ++i)
    text += fmt::format("{}{} of {} bytes", i == 0 ? "" : ", ", pool_of(problem, pools[i]).name,
                        pool_of(problem, pools[i]).limit_bytes);
  return text;
}

// The problem with the buffers that only these pools may hold; all others get size 0.
PlanningProblem within(const PlanningProblem& problem, const std::vector<PoolSet>& sets,
                       const PoolSet& pools) {
  PlanningProblem part = problem;
  for (size_t i = 0; i < sets.size(); ++i)
    if (!std::ranges::includes(pools, sets[i])) part.buffers[i].bytes = 0;
  return part;
}

Result<void> check_set(const PlanningProblem& problem, const std::vector<PoolSet>& sets,
                       const PoolSet& pools) {
  __int128 limit = 0;
  for (const int pool : pools) limit += pool_of(problem, pool).limit_bytes;
  const LiveSet alive = heaviest_set(within(problem, sets, pools));
  if (alive.bytes <= limit) return {};
  return fail("{} {} too small{}: {}", sizes_text(problem, pools), pools.size() == 1 ? "is" : "are",
              pools.size() == 1 ? "" : " together",
              alive_text(problem, alive,
                         fmt::format(", {} too many", alive.bytes - static_cast<int64_t>(limit))));
}

Result<void> check_largest(const PlanningProblem& problem, size_t index, const PoolSet& pools) {
  const LiveBuffer& buffer = problem.buffers[index];
  int64_t largest = 0;
  for (const int pool : pools) largest = std::max(largest, pool_of(problem, pool).limit_bytes);
  if (!occupies(buffer) || buffer.bytes <= largest) return {};
  return fail("buffer {} of {} bytes fits none of {}: {} too many", buffer.id, buffer.bytes,
              sizes_text(problem, pools), buffer.bytes - largest);
}

}  // namespace

bool has_limits(const PlanningProblem& problem) {
  return std::ranges::any_of(problem.pools,
                             [](const Pool& pool) { return pool.limit_bytes != kUnlimitedBytes; });
}

Result<void> check_limits(const PlanningProblem& problem) {
  if (!has_limits(problem)) return {};
  std::vector<PoolSet> sets;
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    sets.push_back(pool_set(problem, static_cast<int>(i)));
  const auto fewest_first = [](const PoolSet& a, const PoolSet& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  std::set<PoolSet, decltype(fewest_first)> different(fewest_first);
  for (const PoolSet& pools : sets)
    if (is_limited(problem, pools)) different.insert(pools);
  for (const PoolSet& pools : different) TRY(check_set(problem, sets, pools));
  for (size_t i = 0; i < sets.size(); ++i) TRY(check_largest(problem, i, sets[i]));
  return {};
}

std::string alive_text(const PlanningProblem& problem, const LiveSet& alive,
                       const std::string& note) {
  constexpr size_t kMostNamed = 6;
  const auto bytes = [&](int i) { return problem.buffers[static_cast<size_t>(i)].bytes; };
  std::vector<int> order = alive.buffers;
  std::ranges::stable_sort(order, std::greater<>(), bytes);
  std::string text = alive.time
                         ? fmt::format("at {} {} of {}, {} bytes are alive{}:", problem.times.name,
                                       *alive.time, end_of_times(problem), alive.bytes, note)
                         : fmt::format("{} bytes conflict{}:", alive.bytes, note);
  for (size_t i = 0; i < order.size() && i < kMostNamed; ++i)
    text += fmt::format("{} {} {}", i == 0 ? "" : ",",
                        problem.buffers[static_cast<size_t>(order[i])].id, bytes(order[i]));
  if (order.size() > kMostNamed) text += fmt::format(", ... ({} more)", order.size() - kMostNamed);
  return text;
}

}  // namespace dovetail
