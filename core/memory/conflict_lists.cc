// SPDX-License-Identifier: Apache-2.0
#include "core/memory/conflict_lists.h"

#include <algorithm>

#include "core/base/check.h"

namespace dovetail {
namespace {

std::vector<int> by_lower(const PlanningProblem& problem) {
  std::vector<int> order;
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (occupies(problem.buffers[i])) order.push_back(static_cast<int>(i));
  std::ranges::stable_sort(
      order, {}, [&](int i) { return problem.buffers[static_cast<size_t>(i)].lifetime.lower; });
  return order;
}

// Calls pair(a, b) for each pair of overlapping lifetimes, in an order that depends on the problem
// only.
template <typename Visit>
void sweep_lifetimes(const PlanningProblem& problem, Visit pair) {
  std::vector<int> live;
  for (const int next : by_lower(problem)) {
    const LiveInterval& now = problem.buffers[static_cast<size_t>(next)].lifetime;
    std::erase_if(live, [&](int i) {
      return problem.buffers[static_cast<size_t>(i)].lifetime.upper <= now.lower;
    });
    for (const int other : live) pair(other, next);
    live.push_back(next);
  }
}

}  // namespace

ConflictLists::ConflictLists(const PlanningProblem& problem, int64_t most_pairs)
    : degrees_(problem.buffers.size()), begins_(problem.buffers.size() + 1) {
  if (problem.conflicts) {
    list_pairs(problem);
    return;
  }
  count_lifetimes(problem);
  listed_ = pairs_ <= most_pairs;
  if (listed_) list_lifetimes(problem);
}

std::span<const int> ConflictLists::of(int buffer) const {
  CHECK(listed_);
  const auto i = static_cast<size_t>(buffer);
  return {neighbours_.data() + begins_[i], static_cast<size_t>(begins_[i + 1] - begins_[i])};
}

// The degree of a buffer: all buffers, less those that ended before it began or begin after it
// ended.
void ConflictLists::count_lifetimes(const PlanningProblem& problem) {
  std::vector<int64_t> lowers, uppers;
  for (const LiveBuffer& buffer : problem.buffers) {
    if (!occupies(buffer)) continue;
    lowers.push_back(buffer.lifetime.lower);
    uppers.push_back(buffer.lifetime.upper);
  }
  std::ranges::sort(lowers);
  std::ranges::sort(uppers);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const LiveBuffer& buffer = problem.buffers[i];
    if (!occupies(buffer)) continue;
    const auto ended = std::ranges::upper_bound(uppers, buffer.lifetime.lower) - uppers.begin();
    const auto begun = std::ranges::lower_bound(lowers, buffer.lifetime.upper) - lowers.begin();
    degrees_[i] = begun - ended - 1;
    pairs_ += degrees_[i];
  }
  pairs_ /= 2;
}

void ConflictLists::list_lifetimes(const PlanningProblem& problem) {
  for (size_t i = 0; i < degrees_.size(); ++i) begins_[i + 1] = begins_[i] + degrees_[i];
  neighbours_.resize(static_cast<size_t>(begins_.back()));
  std::vector<int64_t> ends(begins_.begin(), begins_.end() - 1);
  const auto add = [&](int to, int other) {
    neighbours_[static_cast<size_t>(ends[static_cast<size_t>(to)]++)] = other;
  };
  sweep_lifetimes(problem, [&](int a, int b) {
    add(a, b);
    add(b, a);
  });
  for (size_t i = 0; i < degrees_.size(); ++i)
    std::sort(neighbours_.begin() + begins_[i], neighbours_.begin() + begins_[i + 1]);
}

void ConflictLists::list_pairs(const PlanningProblem& problem) {
  std::vector<ConflictPair> both_ways;
  for (const auto& [a, b] : *problem.conflicts) {
    if (!occupies(problem.buffers[static_cast<size_t>(a)])) continue;
    if (!occupies(problem.buffers[static_cast<size_t>(b)])) continue;
    both_ways.emplace_back(a, b);
    both_ways.emplace_back(b, a);
  }
  std::ranges::sort(both_ways);
  const auto doubled = std::ranges::unique(both_ways);
  both_ways.erase(doubled.begin(), doubled.end());
  for (const auto& [a, b] : both_ways) {
    ++degrees_[static_cast<size_t>(a)];
    neighbours_.push_back(b);
  }
  for (size_t i = 0; i < degrees_.size(); ++i) begins_[i + 1] = begins_[i] + degrees_[i];
  pairs_ = static_cast<int64_t>(both_ways.size()) / 2;
}

}  // namespace dovetail
