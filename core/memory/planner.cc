// SPDX-License-Identifier: Apache-2.0
#include "core/memory/planner.h"

#include <algorithm>

#include "core/base/fail.h"
#include "core/base/stopwatch.h"
#include "core/base/text.h"
#include "core/memory/algorithms.h"
#include "core/memory/limits.h"
#include "core/memory/lower_bound.h"
#include "core/memory/validator/validate_plan.h"

namespace dovetail {

Result<void> PlannerTable::add(std::string name, PlanAlgorithm algorithm) {
  if (name.empty() || !algorithm)
    return fail("algorithm '{}': expected a name and a function", name);
  if (std::ranges::find(rows_, name, [](const auto& row) { return row.first; }) != rows_.end())
    return fail("algorithm {} is there already; expected another name", name);
  rows_.emplace_back(std::move(name), std::move(algorithm));
  return {};
}

std::vector<std::string> PlannerTable::names() const {
  std::vector<std::string> names;
  for (const auto& [name, algorithm] : rows_) names.push_back(name);
  return names;
}

Result<PlanAlgorithm> PlannerTable::find(std::string_view name) const {
  for (const auto& [known, algorithm] : rows_)
    if (known == name) return algorithm;
  return fail("unknown algorithm '{}'; expected one of: {}", name,
              one_of_or_nearest(name, names()));
}

PlannerTable builtin_planners() {
  PlannerTable table;
  for (const auto& [name, algorithm] : std::initializer_list<std::pair<std::string, PlanAlgorithm>>{
           {"greedy_by_size", greedy_by_size},
           {"greedy_by_conflicts", greedy_by_conflicts},
           {"hill_climb", hill_climb},
           {"exact", exact_plan}})
    CHECK(table.add(name, algorithm).has_value());
  return table;
}

Result<PlanningResult> plan_memory(const PlanningProblem& problem, std::string_view algorithm,
                                   const PlannerOptions& options, const PlannerTable& planners) {
  const PlanAlgorithm run = TRY(planners.find(algorithm));
  TRY(check_problem(problem));
  TRY(check_limits(problem));
  const Stopwatch stopwatch;
  PlannerOptions bounded = options;
  bounded.lower_bound_bytes = lower_bound_bytes(problem);
  Result<Plan> planned = run(problem, bounded);
  if (!planned && has_limits(problem))
    return fail("{}; {}", planned.error().message, alive_text(problem, heaviest_set(problem)));
  Plan plan = TRY(std::move(planned));
  const double seconds = stopwatch.seconds();
  if (const auto valid = validate_plan(problem, plan); !valid)
    return fail("algorithm {}: {}", algorithm, valid.error().message);
  const int64_t peak = peak_bytes(problem, plan);
  if (plan.proved_bytes > peak)
    return fail("algorithm {}: a peak of {} found, below the {} that it proved", algorithm, peak,
                plan.proved_bytes);
  const int64_t bound = std::max(bounded.lower_bound_bytes, plan.proved_bytes);
  return PlanningResult{.plan = std::move(plan),
                        .algorithm = std::string(algorithm),
                        .peak_bytes = peak,
                        .lower_bound_bytes = bound,
                        .seconds = seconds};
}

}  // namespace dovetail
