// SPDX-License-Identifier: Apache-2.0
#include "core/memory/planning_problem.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "core/base/fail.h"

namespace dovetail {
namespace {

// Sums of sizes and alignments stay below this, so that no planner overflows.
constexpr int64_t kMostBytes = int64_t{1} << 61;
constexpr int64_t kMostAlignment = int64_t{1} << 40;

Result<void> check_pool(const Pool& pool) {
  if (pool.name.empty()) return fail("a pool has no name; expected one");
  if (pool.limit_bytes < 0)
    return fail("pool {}: size {} found; expected 0 or more bytes", pool.name, pool.limit_bytes);
  if (pool.alignment < 1 || pool.alignment > kMostAlignment)
    return fail("pool {}: alignment {} found; expected 1 to 2^40", pool.name, pool.alignment);
  return {};
}

Result<void> check_buffer(const PlanningProblem& problem, int index) {
  const LiveBuffer& buffer = problem.buffers[static_cast<size_t>(index)];
  if (buffer.id.empty()) return fail("buffer number {} has no id; expected one", index + 1);
  if (buffer.bytes < 0)
    return fail("buffer {}: size {} found; expected 0 or more bytes", buffer.id, buffer.bytes);
  if (buffer.lifetime.lower > buffer.lifetime.upper)
    return fail("buffer {}: lifetime from {} to {} found; expected lower <= upper", buffer.id,
                buffer.lifetime.lower, buffer.lifetime.upper);
  if (buffer.alignment < 1 || buffer.alignment > kMostAlignment)
    return fail("buffer {}: alignment {} found; expected 1 to 2^40", buffer.id, buffer.alignment);
  for (const int pool : buffer.pools) {
    if (pool < 0 || static_cast<size_t>(pool) >= problem.pools.size())
      return fail("buffer {}: pool number {} found; expected one of {}", buffer.id, pool,
                  problem.pools.size());
    TRY(common_alignment(buffer.alignment, problem.pools[static_cast<size_t>(pool)].alignment));
  }
  const std::vector<int> usable = usable_pools(problem, index);
  if (usable.empty())
    return fail("buffer {}: it is written, and its pools are read-only; expected a pool rw",
                buffer.id);
  if (!buffer.offset) return {};
  const int64_t alignment = offset_alignment(problem, index, usable.front());
  if (*buffer.offset < 0 || *buffer.offset > kMostBytes || *buffer.offset % alignment != 0)
    return fail("buffer {}: fixed offset {} found; expected a multiple of {} from 0 to 2^61",
                buffer.id, *buffer.offset, alignment);
  return {};
}

Result<void> check_sum(const PlanningProblem& problem) {
  int64_t pool_alignment = 1;
  for (const Pool& pool : problem.pools) pool_alignment = std::max(pool_alignment, pool.alignment);
  int64_t sum = 0;
  for (const LiveBuffer& buffer : problem.buffers) {
    const auto padded = static_cast<__int128>(buffer.alignment) * pool_alignment + buffer.bytes;
    if (padded > kMostBytes - sum)
      return fail("buffer {}: with it, sizes and alignments add up to more than 2^61 bytes",
                  buffer.id);
    sum += static_cast<int64_t>(padded);
  }
  return {};
}

// The parts of a lifetime outside of all gaps.
std::vector<LiveInterval> live_parts(const LiveBuffer& buffer) {
  std::vector<LiveInterval> gaps = buffer.gaps;
  std::ranges::sort(gaps, {}, &LiveInterval::lower);
  std::vector<LiveInterval> parts;
  int64_t begin = buffer.lifetime.lower;
  for (const LiveInterval& gap : gaps) {
    if (gap.lower > begin) parts.push_back({begin, gap.lower});
    begin = std::max(begin, gap.upper);
  }
  if (begin < buffer.lifetime.upper) parts.push_back({begin, buffer.lifetime.upper});
  return parts;
}

bool meet(const std::vector<LiveInterval>& a, const std::vector<LiveInterval>& b) {
  return std::ranges::any_of(a, [&](const LiveInterval& one) {
    return std::ranges::any_of(b, [&](const LiveInterval& other) {
      return one.lower < other.upper && other.lower < one.upper;
    });
  });
}

}  // namespace

int64_t end_of_times(const PlanningProblem& problem) {
  int64_t end = problem.times.end;
  for (const LiveBuffer& buffer : problem.buffers)
    if (occupies(buffer)) end = std::max(end, buffer.lifetime.upper);
  return end;
}

std::vector<ConflictPair> conflicts_with_gaps(const PlanningProblem& problem) {
  std::vector<std::vector<LiveInterval>> parts;
  std::vector<int> order;  // by the begin of their lifetimes
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    parts.push_back(live_parts(problem.buffers[i]));
    if (occupies(problem.buffers[i])) order.push_back(static_cast<int>(i));
  }
  const auto lifetime = [&](int i) { return problem.buffers[static_cast<size_t>(i)].lifetime; };
  std::ranges::stable_sort(order, {}, [&](int i) { return lifetime(i).lower; });
  std::vector<ConflictPair> pairs;
  for (size_t a = 0; a < order.size(); ++a)
    for (size_t b = a + 1; b < order.size(); ++b) {
      if (lifetime(order[b]).lower >= lifetime(order[a]).upper) break;
      if (meet(parts[static_cast<size_t>(order[a])], parts[static_cast<size_t>(order[b])]))
        pairs.emplace_back(order[a], order[b]);
    }
  return pairs;
}

Result<int64_t> common_alignment(int64_t a, int64_t b) {
  const __int128 common = static_cast<__int128>(a / std::gcd(a, b)) * b;
  if (common > kMostBytes) return fail("alignments {} and {} have no common multiple", a, b);
  return static_cast<int64_t>(common);
}

int64_t offset_alignment(const PlanningProblem& problem, int buffer, int pool) {
  return std::lcm(problem.buffers[static_cast<size_t>(buffer)].alignment,
                  problem.pools[static_cast<size_t>(pool)].alignment);
}

std::vector<int> usable_pools(const PlanningProblem& problem, int buffer) {
  const LiveBuffer& wanted = problem.buffers[static_cast<size_t>(buffer)];
  std::vector<int> order = wanted.pools;
  if (order.empty()) {
    order.resize(problem.pools.size());
    std::iota(order.begin(), order.end(), 0);
  }
  if (wanted.access == PoolAccess::rw) {
    std::erase_if(order, [&](int pool) {
      return problem.pools[static_cast<size_t>(pool)].access == PoolAccess::ro;
    });
  }
  return order;
}

Result<void> check_problem(const PlanningProblem& problem) {
  if (problem.pools.empty()) return fail("a problem without pools; expected one or more");
  std::unordered_set<std::string> names;
  for (const Pool& pool : problem.pools) {
    TRY(check_pool(pool));
    if (!names.insert(pool.name).second)
      return fail("pool {} is there twice; expected each name once", pool.name);
  }
  names.clear();
  const int count = static_cast<int>(problem.buffers.size());
  TRY(check_sum(problem));
  for (int i = 0; i < count; ++i) {
    TRY(check_buffer(problem, i));
    const std::string& id = problem.buffers[static_cast<size_t>(i)].id;
    if (!names.insert(id).second)
      return fail("buffer {} is there twice; expected each id once", id);
  }
  for (const auto& [a, b] : problem.conflicts.value_or(std::vector<ConflictPair>{}))
    if (a < 0 || b < 0 || a >= count || b >= count || a == b)
      return fail("conflict of buffers number {} and {} found; expected two of {}", a, b, count);
  return {};
}

}  // namespace dovetail
