// SPDX-License-Identifier: Apache-2.0
#pragma once

// Planners by name: a problem in, a plan and its lower bound out.
//
//   const PlanningResult result = TRY(plan_memory(problem, "exact", {.seconds = 5}));
//   result.peak_bytes, result.lower_bound_bytes      8, 8: nothing could be smaller
//
// A plan that must be the same on any machine is limited in nodes, not in seconds:
//
//   TRY(plan_memory(problem, "exact", {.most_nodes = 100'000}));
//
// To add an algorithm:
//
//   PlannerTable planners = builtin_planners();
//   TRY(planners.add("in_order", [](const PlanningProblem& problem, const PlannerOptions&) {...}));
//   TRY(plan_memory(problem, "in_order", {}, planners));
//
// A table is a value: there is no global registry, and two programs' tables are independent.

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
  double seconds = 60;  // time limit of `exact`, which then returns its best plan
  // Node limit of `exact`, which replaces `seconds`: no clock is read, so that the result is
  // deterministic on any machine.
  std::optional<int64_t> most_nodes{};
  std::function<bool()> is_stopped{};  // polled by long searches; none: never
  // A plan of this size is optimal, so that a search may stop there; plan_memory computes it.
  int64_t lower_bound_bytes = 0;
};

using PlanAlgorithm =
    std::function<Result<Plan>(const PlanningProblem& problem, const PlannerOptions& options)>;

class PlannerTable {
 public:
  Result<void> add(std::string name, PlanAlgorithm algorithm);  // error: the name is taken
  Result<PlanAlgorithm> find(std::string_view name) const;      // error: lists the known names
  std::vector<std::string> names() const;                       // in the order of add()

 private:
  std::vector<std::pair<std::string, PlanAlgorithm>> rows_;
};

PlannerTable builtin_planners();

struct PlanningResult {
  Plan plan;
  std::string algorithm;
  int64_t peak_bytes = 0;
  int64_t lower_bound_bytes = 0;  // includes what the algorithm proved
  double seconds = 0;
  // No plan has a smaller peak.
  bool is_proved() const { return peak_bytes <= lower_bound_bytes; }
  // The peak's excess over the lower bound, as a fraction of the bound; 0: proven optimal.
  double gap() const {
    if (lower_bound_bytes == 0) return peak_bytes == 0 ? 0 : 1;
    return static_cast<double>(peak_bytes - lower_bound_bytes) /
           static_cast<double>(lower_bound_bytes);
  }
};

// The problem is validated before and the plan after: an algorithm that overlaps two conflicting
// buffers is an error. Where no plan fits the limits, or none was found, the error lists the
// buffers alive at the time of the most bytes (core/memory/limits.h).
Result<PlanningResult> plan_memory(const PlanningProblem& problem, std::string_view algorithm,
                                   const PlannerOptions& options = {},
                                   const PlannerTable& planners = builtin_planners());

}  // namespace dovetail
