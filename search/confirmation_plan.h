// SPDX-License-Identifier: Apache-2.0
#pragma once

// ConfirmationPlan: how thoroughly the finalists can be measured again within a time limit.
//
//   plan_confirmation({.finalists = {1.2, 1.3, 1.9}, .contenders = 2, .passes = 3,
//                      .reference_seconds = 60}, 20)
//       ConfirmationPlan{.contenders = 2, .passes = 1, .thorough = false, .seconds = 4.4}
//
// Finalists are measured again in several passes, one of which adds a check on real data; its
// reference alone may take a minute. A limit in seconds drops passes first, then the slower
// finalists, then real data. The default trace is never dropped: a best that nothing was measured
// beside may be slower than it. If not even the best one fits with it, the plan has no contenders,
// and the best keeps its trial's time. Costs are estimated from the trials; nothing is tried out.

#include <cstddef>
#include <vector>

namespace dovetail {

// The largest share of a limit in seconds that is kept for confirming.
inline constexpr double kConfirmingShare = 0.25;

struct ConfirmationCosts {
  // Seconds to measure each one: the contenders, best first, then the default trace.
  std::vector<double> finalists = {};
  size_t contenders = 0;
  int passes = 3;
  double reference_seconds = 0;  // reference of real data, once
};

struct ConfirmationPlan {
  size_t contenders = 0;  // best of them to measure; the default trace is added to these
  int passes = 0;
  bool thorough = true;  // one pass is on real data, too
  double seconds = 0;    // estimate; without contenders, the least plan's
  friend bool operator==(const ConfirmationPlan&, const ConfirmationPlan&) = default;
};

// The largest plan that takes `most_seconds` or less.
ConfirmationPlan plan_confirmation(const ConfirmationCosts& costs, double most_seconds);

}  // namespace dovetail
