// SPDX-License-Identifier: Apache-2.0
#pragma once

// Spaces of which a run tries half of the points or more: whatever a strategy proposes there, it
// ends with nearly the same best.
//
//   note_small_spaces({{"gmm", 30, 48}}, listener)
//       "gmm: 30 trials of 48 points: half of a space or more, where strategies can hardly differ"

#include <string>
#include <vector>

#include "campaign/listener.h"

namespace dovetail {

struct BudgetOnSpace {
  std::string name = {};
  double trials = 0, points = 0;
};

// One note for all of them; none: no space is that small.
void note_small_spaces(const std::vector<BudgetOnSpace>& budgets, const Listener& listener);

}  // namespace dovetail
