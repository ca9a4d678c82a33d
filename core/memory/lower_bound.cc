// SPDX-License-Identifier: Apache-2.0
#include "core/memory/lower_bound.h"

#include <algorithm>

#include "core/memory/conflict_lists.h"
#include "core/memory/greedy.h"

namespace dovetail {
namespace {

LiveSet most_live(const PlanningProblem& problem) {
  std::vector<std::pair<int64_t, int64_t>> changes;  // time, bytes; at equal times ends come first
  for (const LiveBuffer& buffer : problem.buffers) {
    if (!occupies(buffer)) continue;
    changes.emplace_back(buffer.lifetime.lower, buffer.bytes);
    changes.emplace_back(buffer.lifetime.upper, -buffer.bytes);
  }
  std::ranges::sort(changes);
  int64_t live = 0;
  LiveSet most;
  for (const auto& [time, bytes] : changes) {
    live += bytes;
    if (live > most.bytes) most = {.bytes = live, .time = time};
  }
  for (size_t i = 0; i < problem.buffers.size() && most.time; ++i) {
    const LiveBuffer& buffer = problem.buffers[i];
    if (occupies(buffer) && buffer.lifetime.lower <= *most.time &&
        *most.time < buffer.lifetime.upper)
      most.buffers.push_back(static_cast<int>(i));
  }
  return most;
}

// Branch and bound: the sizes of the remaining candidates bound the clique's weight from above. Any
// clique is a valid lower bound, so the search may stop early.
class CliqueSearch {
 public:
  CliqueSearch(const PlanningProblem& problem, const ConflictLists& conflicts)
      : problem_(problem), conflicts_(conflicts) {}

  LiveSet run() {
    for (const int first : order_by_size(problem_, conflicts_)) {
      if (!occupies(problem_.buffers[static_cast<size_t>(first)])) continue;
      const int64_t share = work_left_ / 4;
      steps_left_ = share;
      clique_ = {first};
      extend(bytes(first), {conflicts_.of(first).begin(), conflicts_.of(first).end()});
      work_left_ -= share - std::max<int64_t>(steps_left_, 0);
    }
    std::ranges::sort(heaviest_.buffers);
    return std::move(heaviest_);
  }

 private:
  int64_t bytes(int i) const { return problem_.buffers[static_cast<size_t>(i)].bytes; }

  void extend(int64_t weight, std::vector<int> candidates) {
    if (weight > heaviest_.bytes) heaviest_ = {.bytes = weight, .buffers = clique_};
    int64_t rest = 0;
    for (const int i : candidates) rest += bytes(i);
    std::ranges::stable_sort(candidates, std::greater<>(), [&](int i) { return bytes(i); });
    for (size_t k = 0; k < candidates.size(); ++k) {
      if (weight + rest <= heaviest_.bytes || steps_left_ <= 0) return;
      steps_left_ -= std::ssize(candidates);
      rest -= bytes(candidates[k]);
      std::vector<int> next;
      for (size_t j = k + 1; j < candidates.size(); ++j)
        if (std::ranges::binary_search(conflicts_.of(candidates[k]), candidates[j]))
          next.push_back(candidates[j]);
      clique_.push_back(candidates[k]);
      extend(weight + bytes(candidates[k]), std::move(next));
      clique_.pop_back();
    }
  }

  const PlanningProblem& problem_;
  const ConflictLists& conflicts_;
  LiveSet heaviest_;
  std::vector<int> clique_;         // being extended
  int64_t work_left_ = 20'000'000;  // candidates visited: about a second
  int64_t steps_left_ = 0;          // budget for cliques with one first buffer
};

}  // namespace

LiveSet heaviest_set(const PlanningProblem& problem) {
  if (!problem.conflicts) return most_live(problem);
  return CliqueSearch(problem, ConflictLists(problem)).run();
}

int64_t lower_bound_bytes(const PlanningProblem& problem) {
  int64_t bound = heaviest_set(problem).bytes;
  for (const LiveBuffer& buffer : problem.buffers)
    if (buffer.offset && occupies(buffer)) bound = std::max(bound, *buffer.offset + buffer.bytes);
  return bound;
}

std::vector<int64_t> pool_bounds(const PlanningProblem& problem, const Plan& plan) {
  std::vector<int64_t> bounds;
  for (int pool = 0; pool < std::ssize(problem.pools); ++pool) {
    PlanningProblem part = problem;
    for (size_t i = 0; i < part.buffers.size(); ++i)
      if (plan.placements[i].pool != pool) part.buffers[i].bytes = 0;
    bounds.push_back(lower_bound_bytes(part));
  }
  return bounds;
}

}  // namespace dovetail
