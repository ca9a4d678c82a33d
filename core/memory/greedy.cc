// SPDX-License-Identifier: Apache-2.0
#include "core/memory/greedy.h"

#include <algorithm>
#include <numeric>

#include "core/memory/algorithms.h"
#include "core/memory/first_fit.h"

namespace dovetail {
namespace {

// Descending by `key`, a tuple of two numbers; then by id, descending too.
template <typename Key>
std::vector<int> descending(const PlanningProblem& problem, Key key) {
  std::vector<int> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](int a, int b) {
    if (key(a) != key(b)) return key(a) > key(b);
    return problem.buffers[static_cast<size_t>(a)].id > problem.buffers[static_cast<size_t>(b)].id;
  });
  return order;
}

}  // namespace

std::vector<int> order_by_size(const PlanningProblem& problem, const ConflictLists& conflicts) {
  return descending(problem, [&](int i) {
    return std::pair(problem.buffers[static_cast<size_t>(i)].bytes, conflicts.degree(i));
  });
}

std::vector<int> order_by_conflicts(const PlanningProblem& problem,
                                    const ConflictLists& conflicts) {
  return descending(problem, [&](int i) {
    return std::pair(conflicts.degree(i), problem.buffers[static_cast<size_t>(i)].bytes);
  });
}

Result<Plan> greedy_by_size(const PlanningProblem& problem, const PlannerOptions&) {
  const ConflictLists conflicts(problem);
  return place_in_order(problem, conflicts, order_by_size(problem, conflicts));
}

Result<Plan> greedy_by_conflicts(const PlanningProblem& problem, const PlannerOptions&) {
  const ConflictLists conflicts(problem);
  return place_in_order(problem, conflicts, order_by_conflicts(problem, conflicts));
}

}  // namespace dovetail
