// SPDX-License-Identifier: Apache-2.0
// Local search over placement orders, each placed by first fit, starting from the better greedy
// order. A step takes a buffer at the top of the fullest pool, and swaps one that it conflicts
// with, or one that conflicts with that, for an earlier place (TVM's USMP has the same
// neighbourhood). Unlike USMP, it returns the best plan ever seen, not the last accepted one, and
// is deterministic: neighbours come from sorted lists and the generator has a fixed seed.
#include <algorithm>
#include <random>

#include "core/memory/algorithms.h"
#include "core/memory/first_fit.h"
#include "core/memory/greedy.h"

namespace dovetail {
namespace {

// Budget in conflicts visited, over all steps: a second or two.
constexpr int64_t kClimbWork = 40'000'000;
constexpr int64_t kMostSteps = 5000;

class HillClimb {
 public:
  HillClimb(const PlanningProblem& problem, const ConflictLists& conflicts,
            const PlannerOptions& options)
      : problem_(problem),
        conflicts_(conflicts),
        options_(options),
        position_(problem.buffers.size()) {}

  Result<Plan> run() {
    Result<Plan> first = start(order_by_size(problem_, conflicts_));
    const Result<Plan> second = start(order_by_conflicts(problem_, conflicts_));
    if (!found_) {
      // A pool's limit may reject both orders but not another one: until a plan is found, climb()
      // keeps every move.
      order_ = order_by_size(problem_, conflicts_);
    }
    climb();
    if (found_) return best_;
    return first.has_value() ? second : first;
  }

 private:
  Result<Plan> start(std::vector<int> order) {
    Result<Plan> plan = place_in_order(problem_, conflicts_, order);
    if (plan && offer(*plan)) {
      order_ = std::move(order);
      accepted_bytes_ = best_bytes_;
    }
    return plan;
  }

  // True when the plan is a new best.
  bool offer(const Plan& plan) {
    const int64_t bytes = peak_bytes(problem_, plan);
    current_bytes_ = bytes;
    if (found_ && bytes >= best_bytes_) return false;
    found_ = true;
    best_ = plan;
    best_bytes_ = bytes;
    return true;
  }

  int64_t draw(int64_t count) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(count));
  }

  void climb() {
    const auto count = std::ssize(problem_.buffers);
    if (count < 2 || !conflicts_.is_listed()) return;
    const int64_t steps =
        std::clamp(kClimbWork / (2 * conflicts_.pairs() + count), int64_t{8}, kMostSteps);
    Plan plan = best_;
    for (int64_t step = 0; step < steps; ++step) {
      if (found_ && best_bytes_ <= options_.lower_bound_bytes) return;
      if (options_.is_stopped && options_.is_stopped()) return;
      for (size_t i = 0; i < order_.size(); ++i)
        position_[static_cast<size_t>(order_[i])] = static_cast<int>(i);
      const std::vector<int> before = order_;
      move(plan);
      Result<Plan> next = place_in_order(problem_, conflicts_, order_);
      if (next && (offer(*next) || accepts(step, steps))) {
        plan = std::move(*next);
        accepted_bytes_ = current_bytes_;
      } else if (next || found_) {
        order_ = before;
      }
    }
  }

  // Worse orders are accepted ever more rarely and by ever less, as in simulated annealing.
  bool accepts(int64_t step, int64_t steps) {
    if (current_bytes_ <= accepted_bytes_) return true;
    const double worse = static_cast<double>(current_bytes_ - accepted_bytes_) /
                         static_cast<double>(std::max<int64_t>(1, best_bytes_));
    const double left = static_cast<double>(steps - step) / static_cast<double>(steps);
    return worse < 0.05 * left && draw(1000) < static_cast<int64_t>(100 * left);
  }

  void move(const Plan& plan) {
    const int top = topmost(plan);
    const auto near = conflicts_.of(top);
    if (near.empty() || draw(8) == 0) {
      swap_places(static_cast<int>(draw(std::ssize(order_))),
                  static_cast<int>(draw(std::ssize(order_))));
      return;
    }
    const int first = near[static_cast<size_t>(draw(std::ssize(near)))];
    const auto far = conflicts_.of(first);
    const int second = draw(2) == 0 ? top : far[static_cast<size_t>(draw(std::ssize(far)))];
    if (draw(3) == 0)
      advance(top, first);
    else
      swap_places(position_[static_cast<size_t>(first)], position_[static_cast<size_t>(second)]);
  }

  void swap_places(int a, int b) {
    std::swap(order_[static_cast<size_t>(a)], order_[static_cast<size_t>(b)]);
  }

  // Moves a buffer forward to the place of `other`; it and all between them move back by one.
  void advance(int buffer, int other) {
    const int from = position_[static_cast<size_t>(buffer)];
    const int to = position_[static_cast<size_t>(other)];
    if (to < from)
      std::rotate(order_.begin() + to, order_.begin() + from, order_.begin() + from + 1);
  }

  // A random buffer among those that end at a pool's peak.
  int topmost(const Plan& plan) {
    if (plan.placements.empty()) return static_cast<int>(draw(std::ssize(order_)));
    const std::vector<int64_t> peaks = pool_peaks(problem_, plan);
    std::vector<int> tops;
    for (size_t i = 0; i < plan.placements.size(); ++i) {
      const auto& [pool, offset] = plan.placements[i];
      if (offset + problem_.buffers[i].bytes == peaks[static_cast<size_t>(pool)])
        tops.push_back(static_cast<int>(i));
    }
    return tops.empty() ? 0 : tops[static_cast<size_t>(draw(std::ssize(tops)))];
  }

  const PlanningProblem& problem_;
  const ConflictLists& conflicts_;
  const PlannerOptions& options_;
  std::vector<int> order_;
  std::vector<int> position_;  // position in order_, per buffer
  std::mt19937_64 random_{20};
  Plan best_;
  bool found_ = false;
  int64_t best_bytes_ = 0;
  int64_t accepted_bytes_ = 0;
  int64_t current_bytes_ = 0;
};

}  // namespace

Result<Plan> hill_climb(const PlanningProblem& problem, const PlannerOptions& options) {
  const ConflictLists conflicts(problem);
  return HillClimb(problem, conflicts, options).run();
}

}  // namespace dovetail
