// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/small_spaces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dovetail {

void note_small_spaces(const std::vector<BudgetOnSpace>& budgets, const Listener& listener) {
  constexpr double kMuch = 0.5;
  std::vector<std::string> small;
  for (const BudgetOnSpace& of : budgets)
    if (of.points > 0 && of.trials >= kMuch * of.points)
      small.push_back(fmt::format("{}: {:.0f} trial{} of {:.0f} points", of.name, of.trials,
                                  of.trials == 1 ? "" : "s", of.points));
  if (small.empty()) return;
  listener.note(
      fmt::format("warning: {}: half of a space or more, where strategies can hardly differ",
                  fmt::join(small, "; ")));
}

}  // namespace dovetail
