// SPDX-License-Identifier: Apache-2.0
#pragma once

// ConflictLists: for each buffer, the buffers that it may not share a byte with: symmetric, without
// duplicates.
//
//   const ConflictLists lists(problem);
//   lists.of(2)         {0, 1}
//   lists.degree(2)     2
//
// Lifetimes become lists by a sweep over time. Where the lists would be too long to keep (n^2 / 2
// pairs where nearly all buffers are live at once) only their lengths are known: is_listed() is
// false, and callers that need a pair ask lifetimes_overlap().

#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/planning_problem.h"

namespace dovetail {

class ConflictLists {
 public:
  static constexpr int64_t kMostPairs = 20'000'000;  // 160 MB
  explicit ConflictLists(const PlanningProblem& problem, int64_t most_pairs = kMostPairs);

  bool is_listed() const { return listed_; }
  int64_t degree(int buffer) const { return degrees_[static_cast<size_t>(buffer)]; }
  int64_t pairs() const { return pairs_; }
  std::span<const int> of(int buffer) const;  // ascending; requires is_listed()

 private:
  void count_lifetimes(const PlanningProblem& problem);
  void list_lifetimes(const PlanningProblem& problem);
  void list_pairs(const PlanningProblem& problem);

  bool listed_ = true;
  int64_t pairs_ = 0;
  std::vector<int64_t> degrees_;
  std::vector<int64_t> begins_;  // list i is neighbours_[begins_[i], begins_[i + 1])
  std::vector<int> neighbours_;
};

inline bool lifetimes_overlap(const LiveInterval& a, const LiveInterval& b) {
  return a.lower < b.upper && b.lower < a.upper;
}

}  // namespace dovetail
