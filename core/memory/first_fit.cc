// SPDX-License-Identifier: Apache-2.0
#include "core/memory/first_fit.h"

#include <algorithm>

#include "core/base/fail.h"
#include "core/base/round_up.h"

namespace dovetail {
namespace {

struct OccupiedBytes {
  int64_t begin;
  int64_t end;
};

// The placed buffers of one pool by offset, for problems with too many conflicts to list.
struct PoolContents {
  std::vector<OccupiedBytes> bytes;
  std::vector<LiveInterval> lifetimes;  // parallel to `bytes`

  void insert(const OccupiedBytes& range, const LiveInterval& lifetime) {
    const auto place = std::ranges::upper_bound(bytes, range.begin, {}, &OccupiedBytes::begin);
    lifetimes.insert(lifetimes.begin() + (place - bytes.begin()), lifetime);
    bytes.insert(place, range);
  }
};

class FirstFit {
 public:
  FirstFit(const PlanningProblem& problem, const ConflictLists& conflicts)
      : problem_(problem),
        conflicts_(conflicts),
        plan_{std::vector<Placement>(problem.buffers.size())},
        placed_(problem.buffers.size()),
        contents_(conflicts.is_listed() ? 0 : problem.pools.size()) {}

  Result<Plan> run(std::span<const int> order) {
    for (const int buffer : order)
      if (problem_.buffers[static_cast<size_t>(buffer)].offset) TRY(place_fixed(buffer));
    for (const int buffer : order)
      if (!problem_.buffers[static_cast<size_t>(buffer)].offset) TRY(place(buffer));
    return std::move(plan_);
  }

 private:
  const LiveBuffer& at(int buffer) const { return problem_.buffers[static_cast<size_t>(buffer)]; }

  int64_t lowest(int buffer, int pool) {
    const LiveBuffer& wanted = at(buffer);
    if (!occupies(wanted)) return 0;
    const int64_t alignment = offset_alignment(problem_, buffer, pool);
    if (!conflicts_.is_listed()) return lowest_by_scan(wanted, pool, alignment);
    ranges_.clear();
    for (const int other : conflicts_.of(buffer)) {
      const Placement& placement = plan_.placements[static_cast<size_t>(other)];
      if (!placed_[static_cast<size_t>(other)] || placement.pool != pool) continue;
      ranges_.push_back({placement.offset, placement.offset + at(other).bytes});
    }
    std::ranges::sort(ranges_, {}, &OccupiedBytes::begin);
    int64_t offset = 0;
    for (const OccupiedBytes& range : ranges_) {
      if (offset + wanted.bytes <= range.begin) break;
      offset = std::max(offset, round_up(range.end, alignment));
    }
    return offset;
  }

  int64_t lowest_by_scan(const LiveBuffer& wanted, int pool, int64_t alignment) const {
    const PoolContents& contents = contents_[static_cast<size_t>(pool)];
    int64_t offset = 0;
    for (size_t i = 0; i < contents.bytes.size(); ++i) {
      // One rarely taken branch instead of three unpredictable ones.
      const LiveInterval& there = contents.lifetimes[i];
      const bool is_in_the_way = (there.lower < wanted.lifetime.upper) &
                                 (wanted.lifetime.lower < there.upper) &
                                 (contents.bytes[i].end > offset);
      if (!is_in_the_way) continue;
      if (offset + wanted.bytes <= contents.bytes[i].begin) break;
      offset = round_up(contents.bytes[i].end, alignment);
    }
    return offset;
  }

  void put(int buffer, const Placement& placement) {
    plan_.placements[static_cast<size_t>(buffer)] = placement;
    placed_[static_cast<size_t>(buffer)] = true;
    if (conflicts_.is_listed() || !occupies(at(buffer))) return;
    contents_[static_cast<size_t>(placement.pool)].insert(
        {placement.offset, placement.offset + at(buffer).bytes}, at(buffer).lifetime);
  }

  Result<void> place(int buffer) {
    int64_t least_end = kUnlimitedBytes;
    int64_t missing = kUnlimitedBytes;
    for (const int pool : usable_pools(problem_, buffer)) {
      const int64_t offset = lowest(buffer, pool);
      const int64_t limit = problem_.pools[static_cast<size_t>(pool)].limit_bytes;
      if (!occupies(at(buffer)) || offset + at(buffer).bytes <= limit) {
        put(buffer, {.pool = pool, .offset = offset});
        return {};
      }
      least_end = std::min(least_end, offset + at(buffer).bytes);
      missing = std::min(missing, offset + at(buffer).bytes - limit);
    }
    return fail(
        "buffer {} of {} bytes fits no pool: it would end at {}, {} too many; expected at most {}",
        at(buffer).id, at(buffer).bytes, least_end, missing, limits(buffer));
  }

  std::string limits(int buffer) const {
    std::string text;
    for (const int index : usable_pools(problem_, buffer)) {
      const Pool& pool = problem_.pools[static_cast<size_t>(index)];
      text += fmt::format("{}{} in pool {}", text.empty() ? "" : ", ", pool.limit_bytes, pool.name);
    }
    return text;
  }

  Result<void> place_fixed(int buffer) {
    const LiveBuffer& fixed = at(buffer);
    const int pool = usable_pools(problem_, buffer).front();
    const Pool& there = problem_.pools[static_cast<size_t>(pool)];
    if (occupies(fixed) &&
        (fixed.bytes > there.limit_bytes || *fixed.offset > there.limit_bytes - fixed.bytes))
      return fail("buffer {} at fixed offset {} ends at {}; expected at most {} in pool {}",
                  fixed.id, *fixed.offset, *fixed.offset + fixed.bytes, there.limit_bytes,
                  there.name);
    const Placement placement{.pool = pool, .offset = *fixed.offset};
    for (size_t i = 0; i < placed_.size() && occupies(fixed); ++i) {
      if (!placed_[i] || !at(static_cast<int>(i)).offset || !conflict(buffer, static_cast<int>(i)))
        continue;
      const Placement& other = plan_.placements[i];
      if (other.pool == pool && other.offset < placement.offset + fixed.bytes &&
          placement.offset < other.offset + problem_.buffers[i].bytes)
        return fail(
            "buffers {} and {} conflict, and their fixed offsets {} and {} overlap; "
            "expected bytes of their own",
            problem_.buffers[i].id, fixed.id, other.offset, placement.offset);
    }
    put(buffer, placement);
    return {};
  }

  bool conflict(int a, int b) const {
    if (conflicts_.is_listed()) return std::ranges::binary_search(conflicts_.of(a), b);
    return occupies(at(a)) && occupies(at(b)) && lifetimes_overlap(at(a).lifetime, at(b).lifetime);
  }

  const PlanningProblem& problem_;
  const ConflictLists& conflicts_;
  Plan plan_;
  std::vector<char> placed_;
  std::vector<PoolContents> contents_;
  std::vector<OccupiedBytes> ranges_;
};

}  // namespace

Result<Plan> place_in_order(const PlanningProblem& problem, const ConflictLists& conflicts,
                            std::span<const int> order) {
  return FirstFit(problem, conflicts).run(order);
}

}  // namespace dovetail
