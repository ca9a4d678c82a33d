// SPDX-License-Identifier: Apache-2.0
#pragma once

// Planners by name: a problem in, a plan with its lower bound out.
//
//   const PlanningResult result = TRY(plan_memory(problem, "exact", {.seconds = 5}));
//   result.peak_bytes, result.lower_bound_bytes      8, 8: nothing could be smaller
//
// A plan that must come out the same on any machine is limited in nodes, not in seconds:
//
//   TRY(plan_memory(problem, "exact", {.most_nodes = 100'000}));
//
// One's own algorithm is a function and a line:
//
//   PlannerTable planners = builtin_planners();
//   TRY(planners.add("in_order", [](const PlanningProblem& problem, const PlannerOptions&) {...}));
//   TRY(plan_memory(problem, "in_order", {}, planners));
//
// A table is a value: nothing registers itself, and two programs' tables cannot meet.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/memory/plan.h"

namespace dovetail {

struct PlannerOptions {
  double seconds = 60;  // of `exact`; the best plan so far counts then
  // Nodes of the search of `exact`, instead of seconds: no clock is read, so that the same problem
  // gives the same plan on any machine.
  std::optional<int64_t> most_nodes{};
  std::function<bool()> is_stopped{};  // asked by long searches; none: never
  // No plan is smaller, so that a search may end there; plan_memory finds it, once.
  int64_t lower_bound_bytes = 0;
};

using PlanAlgorithm =
    std::function<Result<Plan>(const PlanningProblem& problem, const PlannerOptions& options)>;

class PlannerTable {
 public:
  Result<void> add(std::string name, PlanAlgorithm algorithm);  // error: the name is taken
  Result<PlanAlgorithm> find(std::string_view name) const;      // error: names those there are
  std::vector<std::string> names() const;                       // as they were added

 private:
  std::vector<std::pair<std::string, PlanAlgorithm>> rows_;
};

PlannerTable builtin_planners();

struct PlanningResult {
  Plan plan;
  std::string algorithm;
  int64_t peak_bytes = 0;
  int64_t lower_bound_bytes = 0;  // with what the algorithm proved
  double seconds = 0;
  // No plan has a smaller peak.
  bool is_proved() const { return peak_bytes <= lower_bound_bytes; }
  // The part of the lower bound by which the peak is above it: 0 is proven to be the least.
  double gap() const {
    if (lower_bound_bytes == 0) return peak_bytes == 0 ? 0 : 1;
    return static_cast<double>(peak_bytes - lower_bound_bytes) /
           static_cast<double>(lower_bound_bytes);
  }
};

// The problem is checked before, and the plan after: an algorithm of one's own that
// overlaps two buffers gives an error. Where limits are too small for any plan, or for those that
// were found, the error says what is alive when most is (core/memory/limits.h).
Result<PlanningResult> plan_memory(const PlanningProblem& problem, std::string_view algorithm,
                                   const PlannerOptions& options = {},
                                   const PlannerTable& planners = builtin_planners());

}  // namespace dovetail
