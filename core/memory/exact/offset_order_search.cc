// SPDX-License-Identifier: Apache-2.0
#include "core/memory/exact/offset_order_search.h"

#include <algorithm>

#include "core/base/round_up.h"
#include "core/memory/greedy.h"

namespace dovetail {
namespace {

class OffsetOrderSearch {
 public:
  OffsetOrderSearch(const PlanningProblem& problem, const ConflictLists& conflicts, Plan best,
                    const OffsetOrderOptions& options)
      : problem_(problem),
        conflicts_(conflicts),
        options_(options),
        best_(std::move(best)),
        best_bytes_(peak_bytes(problem, best_)),
        plan_(best_),
        placed_(problem.buffers.size()),
        least_(problem.buffers.size()) {
    for (const int i : order_by_size(problem, conflicts))
      if (occupies(at(i))) order_.push_back(i);
    left_ = order_.size();
  }

  Plan run() {
    search(0, 0);
    if (!over_) best_.proved_bytes = best_bytes_;
    return std::move(best_);
  }

 private:
  const LiveBuffer& at(int i) const { return problem_.buffers[static_cast<size_t>(i)]; }
  int64_t& least(int i) { return least_[static_cast<size_t>(i)]; }

  bool is_over() {
    if (over_) return true;
    ++nodes_;
    over_ = best_bytes_ <= options_.lower_bound_bytes || nodes_ > options_.most_nodes ||
            (nodes_ % 1024 == 0 && options_.is_stopped && options_.is_stopped());
    return over_;
  }

  // The offset at which a buffer would be placed next; -1: its fixed offset is no longer possible.
  int64_t next_offset(int i, int64_t floor) {
    const int64_t lowest = std::max(floor, least(i));
    if (at(i).offset) return *at(i).offset >= lowest ? *at(i).offset : -1;
    return round_up(lowest, offset_alignment(problem_, i, 0));
  }

  // Precondition: all further offsets are at least `floor`; the plan so far ends at `peak`.
  void search(int64_t floor, int64_t peak) {
    if (left_ == 0) {
      best_ = plan_;
      best_bytes_ = peak;
      return;
    }
    std::vector<std::pair<int64_t, int>> choices;
    int64_t least_end = kUnlimitedBytes;  // a buffer that starts above leaves room below
    for (const int i : order_) {
      if (placed_[static_cast<size_t>(i)]) continue;
      const int64_t offset = next_offset(i, floor);
      if (offset < 0 || offset + at(i).bytes >= best_bytes_) return;
      least_end = std::min(least_end, offset + at(i).bytes);
      choices.emplace_back(offset, i);
    }
    // A buffer that starts at or above another's end can be placed after that one: prune it here.
    std::erase_if(choices, [&](const auto& choice) {
      return choice.first >= least_end && !at(choice.second).offset && !has_fixed_;
    });
    std::ranges::stable_sort(choices, {}, [](const auto& choice) { return choice.first; });
    for (const auto& [offset, i] : choices) {
      if (is_over()) return;
      if (offset + at(i).bytes < best_bytes_) branch(i, offset, peak);
    }
  }

  void branch(int i, int64_t offset, int64_t peak) {
    const int64_t end = offset + at(i).bytes;
    std::vector<std::pair<int, int64_t>> before;
    for (const int other : conflicts_.of(i)) {
      if (placed_[static_cast<size_t>(other)] || least(other) >= end) continue;
      before.emplace_back(other, least(other));
      least(other) = end;
    }
    placed_[static_cast<size_t>(i)] = true;
    plan_.placements[static_cast<size_t>(i)] = {.pool = 0, .offset = offset};
    --left_;
    search(offset, std::max(peak, end));
    ++left_;
    placed_[static_cast<size_t>(i)] = false;
    for (const auto& [other, value] : before) least(other) = value;
  }

  const PlanningProblem& problem_;
  const ConflictLists& conflicts_;
  const OffsetOrderOptions& options_;
  const bool has_fixed_ = std::ranges::any_of(
      problem_.buffers, [](const LiveBuffer& buffer) { return buffer.offset.has_value(); });
  Plan best_;
  int64_t best_bytes_;
  Plan plan_;
  std::vector<char> placed_;
  std::vector<int64_t> least_;  // lowest offset above the placed conflicts
  std::vector<int> order_;      // buffers that occupy bytes
  size_t left_ = 0;
  int64_t nodes_ = 0;
  bool over_ = false;
};

}  // namespace

Plan offset_order_search(const PlanningProblem& problem, const ConflictLists& conflicts, Plan best,
                         const OffsetOrderOptions& options) {
  return OffsetOrderSearch(problem, conflicts, std::move(best), options).run();
}

}  // namespace dovetail
