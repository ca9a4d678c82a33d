// SPDX-License-Identifier: Apache-2.0
#include "search/confirmation_plan.h"

#include <numeric>

namespace dovetail {
namespace {

// Seconds of one pass over the best `contenders` and the traces measured for comparison.
double seconds_of_a_pass(const ConfirmationCosts& costs, size_t contenders) {
  const auto begin = costs.finalists.begin();
  const double compared = std::accumulate(begin + static_cast<std::ptrdiff_t>(costs.contenders),
                                          costs.finalists.end(), 0.0);
  return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(contenders), compared);
}

ConfirmationPlan plan_of(const ConfirmationCosts& costs, size_t contenders, int passes,
                         bool thorough) {
  const double pass = seconds_of_a_pass(costs, contenders);
  // Real data add one run and one check to the first pass.
  const double real_data = thorough ? costs.reference_seconds + pass : 0;
  return {.contenders = contenders,
          .passes = passes,
          .thorough = thorough,
          .seconds = pass * passes + real_data};
}

}  // namespace

ConfirmationPlan plan_confirmation(const ConfirmationCosts& costs, double most_seconds) {
  for (int passes = costs.passes; passes > 1; --passes) {
    const ConfirmationPlan plan = plan_of(costs, costs.contenders, passes, true);
    if (plan.seconds <= most_seconds) return plan;
  }
  for (const bool thorough : {true, false}) {
    for (size_t contenders = costs.contenders; contenders > 0; --contenders) {
      const ConfirmationPlan plan = plan_of(costs, contenders, 1, thorough);
      if (plan.seconds <= most_seconds) return plan;
    }
  }
  // Nothing fits: report the seconds that the least plan would take.
  ConfirmationPlan none = plan_of(costs, costs.contenders > 0 ? 1 : 0, 1, false);
  none.contenders = 0;
  none.passes = 0;
  return none;
}

}  // namespace dovetail
