// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/small_spaces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/base/text.h"

namespace dovetail {

void note_small_spaces(const std::vector<BudgetOnSpace>& budgets, const Listener& listener) {
  constexpr double kMuch = 0.5;
  std::vector<std::string> small;
  for (const BudgetOnSpace& of : budgets)
    if (of.points > 0 && of.trials >= kMuch * of.points)
      small.push_back(fmt::format("{}: {} of {:.0f} points", of.name,
                                  counted(std::llround(of.trials), "trial"), of.points));
  if (small.empty()) return;
  listener.note(
      fmt::format("warning: {}: half of a space or more, where strategies can hardly differ",
                  fmt::join(small, "; ")));
}

}  // namespace dovetail
