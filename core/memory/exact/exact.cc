// SPDX-License-Identifier: Apache-2.0
// Complete search, starting from hill_climb's plan: first for a plan at the lower bound, which
// exists more often than greedy planners suggest; where that is refuted, for the least capacity
// that is not. A run is cut off after some nodes, and the next one tries buffers in another order:
// a search that branched wrongly early does not recover for hours, another order avoids it (Gomes
// et al., "Heavy-tailed phenomena in satisfiability", 2000). Run lengths are those of Luby,
// Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993.
#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/round_up.h"
#include "core/base/stopwatch.h"
#include "core/memory/algorithms.h"
#include "core/memory/exact/offset_order_search.h"
#include "core/memory/exact/skyline_search.h"

namespace dovetail {
namespace {

// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...: many short runs, and ever longer ones among them.
int64_t luby(int64_t run) {
  while (!std::has_single_bit(static_cast<uint64_t>(run + 1)))
    run -= static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(run))) - 1;
  return (run + 1) / 2;
}

class ExactPlanner {
 public:
  ExactPlanner(const PlanningProblem& problem, const PlannerOptions& options, Plan best)
      : problem_(problem),
        bound_(options.lower_bound_bytes),
        best_(std::move(best)),
        best_bytes_(peak_bytes(problem, best_)),
        nodes_left_(options.most_nodes.value_or(kUnlimitedNodes)),
        is_stopped_(options.is_stopped) {}

  Plan run() {
    if (best_bytes_ <= bound_ || problem_.buffers.empty()) return best_;
    if (problem_.buffers.size() > kMostBuffers) return best_;
    const std::optional<int64_t> alignment = shared_alignment();
    if (alignment) best_.proved_bytes = search_sections(*alignment);
    const bool is_proved = best_.proved_bytes >= best_bytes_;
    const ConflictLists conflicts(problem_);
    if (is_proved || best_bytes_ <= bound_ || is_over() || !conflicts.is_listed()) return best_;
    return offset_order_search(
        problem_, conflicts, best_,
        {.lower_bound_bytes = bound_, .most_nodes = nodes_left_, .is_stopped = is_stopped_});
  }

 private:
  bool is_over() const { return nodes_left_ <= 0 || is_stopped_(); }

  // The common alignment of all buffers; none where the problem has more than lifetimes and sizes.
  std::optional<int64_t> shared_alignment() const {
    if (problem_.conflicts) return std::nullopt;
    int64_t shared = 0;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (!occupies(problem_.buffers[i])) continue;
      const int64_t own = offset_alignment(problem_, static_cast<int>(i), 0);
      if (problem_.buffers[i].offset || (shared != 0 && own != shared)) return std::nullopt;
      shared = own;
    }
    return shared;
  }

  // Maps times to sections and rounds sizes up to the alignment. True where rounding changed
  // nothing: only then do refutations hold for the original problem.
  bool cut(int64_t alignment) {
    std::map<int64_t, int> section_of;
    for (const LiveBuffer& buffer : problem_.buffers)
      if (occupies(buffer))
        section_of[buffer.lifetime.lower] = section_of[buffer.lifetime.upper] = 0;
    for (auto& [time, section] : section_of) section = sections_++;
    bool is_same = true;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      const LiveBuffer& buffer = problem_.buffers[i];
      if (!occupies(buffer)) continue;
      index_.push_back(i);
      cut_.push_back({.bytes = round_up(buffer.bytes, alignment),
                      .first_section = section_of[buffer.lifetime.lower],
                      .end_section = section_of[buffer.lifetime.upper]});
      is_same = is_same && cut_.back().bytes == buffer.bytes;
      unit_ = std::gcd(unit_, cut_.back().bytes);
    }
    return is_same;
  }

  // The proved lower bound of any plan; 0: none, because sizes were rounded up.
  int64_t search_sections(int64_t alignment) {
    const bool is_same = cut(alignment);
    int64_t refuted = bound_ - 1;  // no plan has this capacity
    while (!is_over() && refuted + 1 < best_bytes_) {
      const int64_t nodes = kNodes * luby(round_ + 1);
      const int64_t least = round_up(refuted + 1, unit_);
      if (least >= best_bytes_ && is_same) return best_bytes_;
      const SkylineEnd end = try_capacity(least, nodes);
      if (end == SkylineEnd::none_exists) refuted = least + unit_ - 1;
      if (end == SkylineEnd::none_exists && !is_same) break;
      if (end == SkylineEnd::found) return is_same ? best_bytes_ : 0;
      if (end == SkylineEnd::gave_up) try_capacity(between(least), nodes / 4);
      ++round_;
    }
    return is_same ? std::min(refuted + 1, best_bytes_) : 0;
  }

  // A capacity between `least` and the best plan (all, 1/2, 1/3 or 1/4 of the way, by round), so
  // that the best plan improves too.
  int64_t between(int64_t least) const {
    const int64_t half = least + (best_bytes_ - 1 - least) / (1 + round_ % 4);
    return half / unit_ * unit_;
  }

  SkylineEnd try_capacity(int64_t capacity, int64_t nodes) {
    if (round_ % 16 == 0) weights_ = {};
    const SkylineOutcome outcome = skyline_search(cut_, sections_, capacity,
                                                  {.most_nodes = std::min(nodes, nodes_left_),
                                                   .seed = static_cast<uint64_t>(round_),
                                                   .is_stopped = is_stopped_},
                                                  weights_);
    nodes_left_ -= outcome.nodes;
    if (outcome.end != SkylineEnd::found) return outcome.end;
    Plan plan = best_;
    for (size_t i = 0; i < index_.size(); ++i)
      plan.placements[index_[i]] = {.pool = 0, .offset = outcome.offsets[i]};
    const int64_t bytes = peak_bytes(problem_, plan);
    if (bytes < best_bytes_) {
      best_ = std::move(plan);
      best_bytes_ = bytes;
    }
    return outcome.end;
  }

  // The search has one level per buffer, each with a list of buffers: beyond this, memory would
  // fill up without a result.
  static constexpr size_t kMostBuffers = 4000;
  static constexpr int64_t kNodes = 1500;  // in the shortest runs
  static constexpr int64_t kUnlimitedNodes = std::numeric_limits<int64_t>::max();

  const PlanningProblem& problem_;
  const int64_t bound_;
  Plan best_;
  int64_t best_bytes_;
  int64_t nodes_left_;
  const std::function<bool()> is_stopped_;
  std::vector<SkylineBuffer> cut_;
  std::vector<size_t> index_;  // cut_ index -> buffer of the problem
  int sections_ = 0;
  int64_t unit_ = 0;
  int round_ = 0;
  SkylineWeights weights_;
};

Unexpected too_small(const Pool& pool, int64_t proved_bytes) {
  return fail(
      "pool {} of {} bytes is too small for any plan, which is proved: {} too many; expected at "
      "least {}",
      pool.name, pool.limit_bytes, proved_bytes - pool.limit_bytes, proved_bytes);
}

}  // namespace

// With several pools this is hill_climb: the search does not decide which pool a buffer spills to.
Result<Plan> exact_plan(const PlanningProblem& problem, const PlannerOptions& options) {
  if (problem.pools.size() > 1) return hill_climb(problem, options);
  const int64_t bound = options.lower_bound_bytes;
  if (const Pool& pool = problem.pools.front(); bound > pool.limit_bytes)
    return too_small(pool, bound);
  PlanningProblem unlimited = problem;
  unlimited.pools.front().limit_bytes = kUnlimitedBytes;
  const Stopwatch stopwatch;
  const auto is_stopped = [&] {
    const bool is_late = !options.most_nodes && stopwatch.seconds() > options.seconds;
    return is_late || (options.is_stopped && options.is_stopped());
  };
  const PlannerOptions limited{
      .most_nodes = options.most_nodes, .is_stopped = is_stopped, .lower_bound_bytes = bound};
  const Plan start = TRY(hill_climb(unlimited, limited));
  const Plan plan = ExactPlanner(unlimited, limited, start).run();
  const int64_t limit = problem.pools.front().limit_bytes;
  const int64_t peak = peak_bytes(problem, plan);
  if (plan.proved_bytes > limit) return too_small(problem.pools.front(), plan.proved_bytes);
  if (peak > limit)
    return fail(
        "no plan found in {} fits pool {}: the best ends at {}, {} too many; expected at most {}",
        options.most_nodes ? fmt::format("{} nodes", *options.most_nodes)
                           : fmt::format("{} s", options.seconds),
        problem.pools.front().name, peak, peak - limit, limit);
  return plan;
}

}  // namespace dovetail
